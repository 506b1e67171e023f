//! `kibitz convert`: what it does to what stands at its output's name.

use crate::{kibitz, scratch, success};
use std::{fs, path::PathBuf};

const GAMES: &str = "f5d6c3d3c4\nf5f6e6f4e3\n";

/// An empty folder with `games.txt`.
fn folder(name: &str) -> PathBuf {
    let folder = scratch("convert").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("a folder of ours");
    }
    fs::create_dir_all(&folder).expect("a place for tests");
    fs::write(folder.join("games.txt"), GAMES).expect("a place for tests");
    folder
}

#[test]
fn a_folder_is_refused_and_stays() {
    let folder = folder("refused");
    let input = folder.join("games.txt");
    let inside = folder.join("inside");
    fs::create_dir(&inside).unwrap();
    let run = kibitz(&[
        "convert",
        input.to_str().unwrap(),
        inside.to_str().unwrap(),
        "--to",
        "ggf",
    ]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.ends_with("is a folder; name a file in it\n"),
        "{}",
        run.stderr
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use crate::program;
    use std::{
        os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink},
        path::Path,
        process::Command,
        thread,
    };

    fn convert(folder: &Path, output: &str, more: &[&str]) -> String {
        let (input, output) = (folder.join("games.txt"), folder.join(output));
        let files = [&input, &output].map(|it| it.to_str().expect("test paths are UTF-8"));
        success(&[&["convert"], &files[..], more].concat())
    }

    fn mode(path: &Path) -> u32 {
        let metadata = fs::metadata(path).expect("it was written");
        metadata.permissions().mode() & 0o7777
    }

    #[test]
    fn what_a_link_points_to_is_replaced_and_the_link_stays() {
        let folder = folder("links");
        fs::create_dir(folder.join("far")).unwrap();
        fs::write(folder.join("far/old.txt"), "old").unwrap();
        symlink("far/old.txt", folder.join("link.txt")).unwrap();
        symlink("link.txt", folder.join("twice.txt")).unwrap();
        symlink("far/new.txt", folder.join("dangling.txt")).unwrap();
        for (link, target) in [
            ("twice.txt", "far/old.txt"),
            ("dangling.txt", "far/new.txt"),
        ] {
            convert(&folder, link, &[]);
            assert!(folder.join(link).is_symlink(), "{link}");
            assert!(!folder.join(target).is_symlink(), "{target}");
            assert_eq!(fs::read_to_string(folder.join(target)).unwrap(), GAMES);
        }
        let names = fs::read_dir(folder.join("far")).unwrap().count();
        assert_eq!(names, 2, "no temporary file is left");
    }

    #[test]
    fn the_mode_of_a_file_is_kept_and_a_new_one_obeys_the_mask() {
        let folder = folder("modes");
        for kept in [0o600, 0o640, 0o666] {
            let path = folder.join(format!("{kept:o}.txt"));
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            convert(&folder, path.file_name().unwrap().to_str().unwrap(), &[]);
            assert_eq!(fs::read_to_string(&path).unwrap(), GAMES);
            assert_eq!(mode(&path), kept, "{kept:o}");
        }
        convert(&folder, "new.txt", &[]);
        assert_eq!(
            mode(&folder.join("new.txt")),
            mode(&folder.join("games.txt"))
        );
    }

    #[test]
    fn a_pipe_and_a_device_are_written_to_and_stay() {
        let folder = folder("pipes");
        let pipe = folder.join("pipe.txt");
        #[expect(
            clippy::disallowed_methods,
            reason = "the standard library makes no pipes with names"
        )]
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = {
            let pipe = pipe.clone();
            thread::spawn(move || fs::read_to_string(pipe).unwrap())
        };
        convert(&folder, "pipe.txt", &[]);
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), GAMES);
        // Through a link, so that a program that is wrong replaces that and not the device.
        symlink("/dev/null", folder.join("null.wtb")).unwrap();
        convert(&folder, "null.wtb", &[]);
        let null = fs::metadata(folder.join("null.wtb")).unwrap();
        assert!(null.file_type().is_char_device());
        assert!(folder.join("null.wtb").is_symlink());
    }

    #[test]
    fn the_standard_output_has_two_names() {
        let folder = folder("stdout");
        let input = folder.join("games.txt");
        for name in ["-", "/dev/stdout"] {
            let output = program()
                .args([
                    "convert",
                    input.to_str().unwrap(),
                    name,
                    "--to",
                    "transcript",
                ])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), GAMES, "{name}");
        }
    }
}
