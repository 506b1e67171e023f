//! Line charts as SVG text: panels below each other, a few series each.

use std::fmt::Write as _;

/// A chart of its own within a figure.
#[derive(Debug, Default)]
pub(super) struct Panel {
    /// What the horizontal axis counts.
    pub(super) x_label: &'static str,
    /// What the vertical axis measures.
    pub(super) y_label: &'static str,
    /// The lines.
    pub(super) series: Vec<Series>,
}

/// One line with its name.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const PANEL_HEIGHT: f64 = 300.0;
// Margins of a panel.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
/// Told apart by the colour-blind and in grey.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// A whole SVG file.
pub(super) fn figure(title: &str, panels: &[Panel]) -> String {
    let height = 40.0 + PANEL_HEIGHT * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">{}</text>\n",
        escaped(title)
    );
    for (i, panel) in panels.iter().enumerate() {
        let y = 40.0 + PANEL_HEIGHT * i as f64;
        // Writing to a string cannot fail, here and below.
        let _written = writeln!(svg, "<g transform=\"translate(0,{y})\">");
        draw(&mut svg, panel);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel) {
    let points = || {
        let all = panel.series.iter().flat_map(|series| &series.points);
        all.filter(|(x, y)| x.is_finite() && y.is_finite())
    };
    let x = Axis::over(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Axis::over(points().map(|point| point.1), PANEL_HEIGHT - BOTTOM, TOP);
    for tick in y.ticks() {
        let at = y.place(tick);
        let _written = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            y.label(tick)
        );
    }
    let base = PANEL_HEIGHT - BOTTOM;
    for tick in x.ticks() {
        let at = x.place(tick);
        let _written = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{base}\" y2=\"{:.1}\" stroke=\"#888\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            base + 5.0,
            base + 19.0,
            x.label(tick)
        );
    }
    let middle = (TOP + base) / 2.0;
    let _written = writeln!(
        svg,
        "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{base}\" y2=\"{base}\" stroke=\"#888\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text x=\"16\" y=\"{middle}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 16 {middle})\">{}</text>",
        WIDTH - RIGHT,
        (LEFT + WIDTH - RIGHT) / 2.0,
        base + 38.0,
        escaped(panel.x_label),
        escaped(panel.y_label)
    );
    for (i, series) in panel.series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        line(svg, series, &x, &y, colour);
        let legend = TOP + 14.0 + 16.0 * i as f64;
        let _written = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{legend}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
            WIDTH - RIGHT - 6.0,
            escaped(series.name)
        );
    }
}

fn line(svg: &mut String, series: &Series, x: &Axis, y: &Axis, colour: &str) {
    let known = (series.points.iter()).filter(|(a, b)| a.is_finite() && b.is_finite());
    let places: Vec<String> = known
        .map(|&(a, b)| format!("{:.1},{:.1}", x.place(a), y.place(b)))
        .collect();
    let _written = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        places.join(" ")
    );
    // Few points are shown as such; many make their line.
    if places.len() <= 60 {
        for place in &places {
            let (a, b) = place.split_once(',').unwrap_or((place, place));
            let _written = writeln!(
                svg,
                "<circle cx=\"{a}\" cy=\"{b}\" r=\"2.5\" fill=\"{colour}\"/>"
            );
        }
    }
}

/// A range of values, where on the paper it lies, and a step of 1, 2 or 5 times a power of ten.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = match (low.is_finite(), high > low) {
            (false, _) => (0.0, 1.0),
            (true, false) => (low - 0.5, low + 0.5),
            (true, true) => (low, high),
        };
        let rough = (high - low) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            from,
            to,
            step,
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let n = ((self.high - self.low) / self.step).round() as u32;
        (0..=n).map(|i| self.low + f64::from(i) * self.step)
    }

    fn label(&self, value: f64) -> String {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        // Minus zero is a curiosity of floating point, not of the reader.
        let value = if value.abs() < self.step / 2.0 {
            0.0
        } else {
            value
        };
        format!("{value:.digits$}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: Vec<(f64, f64)>) -> Series {
        Series {
            name: "error < 1 & more",
            points,
        }
    }

    #[test]
    fn ticks_are_round_numbers_that_hold_all_values() {
        let axis = Axis::over([3.0, 47.0].into_iter(), 0.0, 100.0);
        let ticks: Vec<String> = axis.ticks().map(|tick| axis.label(tick)).collect();
        assert_eq!(ticks, ["0", "10", "20", "30", "40", "50"]);
        let axis = Axis::over([-0.02, 0.11].into_iter(), 0.0, 100.0);
        let ticks: Vec<String> = axis.ticks().map(|tick| axis.label(tick)).collect();
        assert_eq!(ticks, ["-0.05", "0.00", "0.05", "0.10", "0.15"]);
        assert!((axis.place(-0.05)).abs() < 1e-9 && (axis.place(0.15) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn any_points_give_a_whole_figure() {
        for points in [
            vec![],
            vec![(1.0, 1.0)],
            vec![(1.0, f64::NAN), (2.0, 5.0)],
            (0..1000)
                .map(|i| (f64::from(i), f64::from(i * i)))
                .collect(),
        ] {
            let panel = Panel {
                x_label: "games",
                y_label: "discs",
                series: vec![series(points)],
            };
            let svg = figure("a \"title\"", &[panel, Panel::default()]);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("error &lt; 1 &amp; more"));
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        }
    }
}
