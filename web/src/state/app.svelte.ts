// The one place that holds what the screen shows and turns wishes into requests. The server owns
// the game; what lives here is the latest view of it and what this window alone knows: which
// overlay is on, which line is stepped through, what was asked about.

import { SvelteMap } from 'svelte/reactivity';
import { ApiError, Client } from '../api/client';
import { listen } from '../api/events';
import type {
  About,
  AnalysisState,
  ErrorCode,
  Explanation,
  Glyph,
  Hint,
  ImportResult,
  Level,
  Mode,
  NewGame,
  OverlayName,
  Overlays,
  PreviewStep,
  Report,
  ServerEvent,
  SessionView,
  Settings,
  SettingsChange,
  Step,
} from '../api/wire';
import { isNewPosition, sayPosition } from './say';
import { isHumanTurn, newerAnalysis, newerView, nodeOf } from './session';
import { nameOf, type SquareIndex } from './squares';
import { isOvertaken } from './why';

export type DialogName = 'newGame' | 'settings' | 'help' | 'paste' | 'copy' | 'more' | 'overlays';

/** A question about a move and its answer. */
export interface Why {
  /** The position that it is about. */
  node: number;
  /** The move that was asked about; null asks why the best one is best. */
  move: string | null;
  /** Where the reader was: going elsewhere puts the card away. */
  askedAt: number;
  state: 'loading' | 'ready' | 'failed';
  explanation: Explanation | null;
  problem: string;
}

/** A line that is looked at without being played. */
export interface ShownLine {
  title: string;
  node: number;
  steps: readonly PreviewStep[];
  /** How many of its moves are on the board; 0 is the position before it. */
  index: number;
  /** The discs before it. */
  startBoard: string | null;
}

export interface Toast {
  id: number;
  level: 'info' | 'warning' | 'error';
  text: string;
}

export interface Import {
  state: 'reading' | 'read' | 'failed';
  result: ImportResult | null;
  problem: string;
}

const TOAST_MS = 6000;
/** Analysis beside a game shares the machine with the opponent, so it is short. */
const PLAY_ANALYSIS_MS = 3000;

export class App {
  readonly client: Client;

  session = $state.raw<SessionView | null>(null);
  analysis = $state.raw<AnalysisState | null>(null);
  settings = $state.raw<Settings | null>(null);
  levels = $state.raw<readonly Level[]>([]);
  about = $state.raw<About | null>(null);
  connection = $state<'connecting' | 'open' | 'lost' | 'ended' | 'denied'>('connecting');

  overlay = $state<OverlayName | null>(null);
  overlays = $state.raw<Overlays | null>(null);
  hint = $state.raw<Hint | null>(null);
  why = $state.raw<Why | null>(null);
  reason = $state<number | null>(null);
  line = $state.raw<ShownLine | null>(null);
  import = $state.raw<Import | null>(null);
  dialog = $state<DialogName | null>(null);
  toasts = $state.raw<readonly Toast[]>([]);
  /** Values on the board of Analyse; in Play the session decides. */
  valuesOnBoard = $state(true);
  welcomeClosed = $state(false);
  blunderClosed = $state<number | null>(null);
  /** Which kind of waiting the person caused; shown where the button was. */
  readonly busy = new SvelteMap<'hint' | 'best' | 'import', boolean>();
  /** The latest sentence for screen readers. */
  spoken = $state('');

  /** When the clocks of the session were read, in the browser's time. */
  clockReadAt = $state(0);

  #overlay: OverlayName = 'mobility';
  #queue: Promise<unknown> = Promise.resolve();
  #toast = 0;
  /** The report that an answer was brought up to last, and whether that is under way. */
  #keepingUp = false;
  #keptUpWith: Report | null = null;
  #close: (() => void) | null = null;

  constructor(client: Client = new Client()) {
    this.client = client;
  }

  // ── What is shown ────────────────────────────────────────────────────────────────────────────

  get mode(): Mode {
    return this.session?.mode ?? 'play';
  }

  /** Whether values may be on the board now. */
  get showsValues(): boolean {
    const session = this.session;
    if (session === null) return false;
    return session.mode === 'analyse' ? this.valuesOnBoard : session.showValues;
  }

  /** The report of the position on the board, if there is one. */
  get report() {
    const { analysis, session } = this;
    if (analysis === null || session === null || analysis.node !== session.node) return null;
    return analysis.report;
  }

  get analysing(): boolean {
    return this.analysis?.status === 'running';
  }

  get canPlay(): boolean {
    return this.session !== null && this.line === null && isHumanTurn(this.session);
  }

  get showsWelcome(): boolean {
    return (this.settings?.isFirstLaunch ?? false) && !this.welcomeClosed && this.mode === 'play';
  }

  /** Whoever makes a move needs no welcome any more, today or tomorrow. */
  closeWelcome(): void {
    if (!this.showsWelcome) return;
    this.welcomeClosed = true;
    void this.changeSettings({ welcomed: true });
  }

  get blunder() {
    const blunder = this.session?.blunder ?? null;
    if (blunder === null || this.mode !== 'play' || blunder.node === this.blunderClosed)
      return null;
    return blunder;
  }

  // ── Start and stream ─────────────────────────────────────────────────────────────────────────

  /** Logs in with the code of the address, if there is one, and begins to listen. */
  async start(fragment: string): Promise<void> {
    try {
      await this.#login(fragment);
      const [settings, levels, session] = await Promise.all([
        this.client.settings(),
        this.client.levels(),
        this.client.session('current'),
      ]);
      this.settings = settings;
      this.levels = levels;
      this.show(session);
      this.#close = listen({
        onevent: (event) => this.receive(event),
        onconnection: (state) => {
          this.connection = state;
        },
      });
      if (session.mode === 'analyse' && !this.analysing) void this.startAnalysis();
      for (const warning of settings.warnings) this.tell(warning, 'warning');
    } catch (error) {
      const denied = error instanceof ApiError && error.code === 'not_logged_in';
      this.connection = denied ? 'denied' : 'lost';
      if (!denied) this.tell(sentence(error), 'error');
    }
  }

  stop(): void {
    this.#close?.();
  }

  /** An address that was used before is no obstacle to a browser that is logged in already. */
  async #login(fragment: string): Promise<void> {
    const [, kind, text] = /^#(code|token)=(.+)$/.exec(fragment) ?? [];
    if (text === undefined) return;
    const secret = decodeURIComponent(text);
    try {
      await this.client.login(kind === 'code' ? { code: secret } : { token: secret });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_logged_in')) throw error;
    }
  }

  receive(event: ServerEvent): void {
    switch (event.type) {
      case 'session':
        if (this.session === null || event.data.id === this.session.id) this.show(event.data);
        break;
      case 'current':
        if (event.data.session !== this.session?.id) void this.#follow(event.data.session);
        break;
      case 'analysis':
        this.analysis = newerAnalysis(this.analysis, event.data, this.session);
        void this.#keepUp();
        break;
      case 'thinking':
        break;
      case 'clock':
        if (this.session?.id === event.data.session) {
          this.session = { ...this.session, clock: event.data.clock };
          this.clockReadAt = performance.now();
        }
        break;
      case 'settings':
        this.settings = event.data;
        break;
      case 'notice':
        this.tell(event.data.message, event.data.level);
        break;
      case 'job':
      case 'review':
      case 'bye':
        break;
    }
  }

  /** Another window opened a game: all windows show the current one. */
  async #follow(id: string): Promise<void> {
    try {
      this.show(await this.client.session(id));
      if (this.mode === 'analyse' && !this.analysing) await this.startAnalysis();
    } catch (error) {
      this.tell(sentence(error), 'error');
    }
  }

  /** Puts a view on the screen unless a newer one is there already. */
  show(arrived: SessionView): void {
    const before = this.session;
    const next = newerView(before, arrived);
    if (next === before) return;
    if (before !== null && before.id !== next.id) this.analysis = null;
    this.session = next;
    this.clockReadAt = performance.now();
    if (next.analysis !== null) {
      this.analysis = newerAnalysis(this.analysis, next.analysis, next);
    }
    if (isNewPosition(before, next)) {
      this.hint = null;
      this.overlays = null;
      if (this.line !== null && before !== null) this.line = null;
      if (this.why !== null && (before?.id !== next.id || this.why.askedAt !== next.node)) {
        this.closeWhy();
      }
      this.say(sayPosition(next));
    } else if (before?.outcome === null && next.outcome !== null) {
      this.say(next.outcome.text);
    }
  }

  // ── Moves ────────────────────────────────────────────────────────────────────────────────────

  /** A square was clicked, or Enter pressed on it. */
  playSquare(square: SquareIndex): void {
    const session = this.session;
    if (session === null) return;
    if (this.line !== null) {
      this.closeLine();
      return;
    }
    const move = session.legal.find((it) => it.square === square);
    if (move === undefined || !this.canPlay) {
      this.say(this.#whyNoMove(session, nameOf(square)));
      return;
    }
    this.closeWelcome();
    void this.#act((id) => this.client.play(id, { move: move.move, node: session.node }));
  }

  #whyNoMove(session: SessionView, name: string): string {
    if (session.outcome !== null) return 'The game is over.';
    if (session.thinking || session.awaiting === 'engine') return 'It is the engine’s turn.';
    return `${name} is not a legal move.`;
  }

  /** A move as it was typed; the server says what is wrong with it. Gives the problem, or null. */
  async playText(text: string): Promise<string | null> {
    const session = this.session;
    if (session === null) return 'There is no game yet.';
    const move = text.trim().toLowerCase();
    if (move === '') return null;
    let problem: string | null = null;
    this.closeWelcome();
    await this.#act(
      (id) => this.client.play(id, { move: move === 'pass' ? 'ps' : move, node: session.node }),
      (error) => {
        problem = sentence(error);
      },
    );
    return problem;
  }

  pass = () => this.#act((id) => this.client.play(id, { move: 'ps' }));
  undo = () => this.#act((id) => this.client.undo(id));
  redo = () => this.#act((id) => this.client.redo(id));
  goto = (node: number) => this.#act((id) => this.client.goto(id, { node }));
  engineMove = () => this.#act((id) => this.client.engineMove(id));
  moveNow = () => this.#act((id) => this.client.moveNow(id));

  /** Steps through the game, or through the line that is looked at. */
  step(step: Step): void {
    const line = this.line;
    if (line === null) {
      void this.#act((id) => this.client.goto(id, { step }));
      return;
    }
    const to = { first: 0, previous: line.index - 1, next: line.index + 1, last: Infinity }[step];
    this.lineTo(to);
  }

  /** So many moves of the line on the board. */
  lineTo(wanted: number): void {
    const line = this.line;
    if (line === null) return;
    const index = Math.max(0, Math.min(line.steps.length, wanted));
    this.line = { ...line, index };
    const at = line.steps[index - 1];
    this.say(at === undefined ? 'Before the line' : `Line: ${at.side} ${at.move}`);
  }

  async playBest(): Promise<void> {
    if (this.line !== null || this.session === null || this.session.outcome !== null) return;
    await this.#while('best', () => this.#act((id) => this.client.bestMove(id)));
  }

  async newGame(wish: NewGame): Promise<void> {
    this.dialog = null;
    this.welcomeClosed = true;
    await this.#act(() => this.client.newGame(wish));
    this.blunderClosed = null;
    if (this.mode === 'analyse') await this.startAnalysis();
  }

  /** Play and Analyse are two ways to sit at the same board. */
  async setMode(mode: Mode): Promise<void> {
    if (this.session === null || this.session.mode === mode) return;
    this.closeLine();
    this.closeWhy();
    await this.#act((id) => this.client.changeSession(id, { mode }));
    if (mode === 'analyse') await this.startAnalysis();
    else if (this.analysing && !this.session.showValues) await this.stopAnalysis();
  }

  changeLevel = (level: string) => this.#act((id) => this.client.changeSession(id, { level }));

  // ── Tree ─────────────────────────────────────────────────────────────────────────────────────

  comment = (node: number, text: string) => this.#act((id) => this.client.comment(id, node, text));
  glyphs = (node: number, glyphs: Glyph[]) =>
    this.#act((id) => this.client.glyphs(id, node, glyphs));
  promote = (node: number) => this.#act((id) => this.client.promote(id, node, true));
  deleteNode = (node: number) => this.#act((id) => this.client.deleteNode(id, node));

  // ── Engine and coach ─────────────────────────────────────────────────────────────────────────

  async startAnalysis(): Promise<void> {
    const session = this.session;
    if (session === null) return;
    const wish = session.mode === 'play' ? { timeMs: PLAY_ANALYSIS_MS } : {};
    try {
      const state = await this.client.startAnalysis(session.id, { allMoves: true, ...wish });
      this.analysis = newerAnalysis(this.analysis, state, this.session);
    } catch (error) {
      // A finished game has nothing to search.
      if (!isCode(error, 'conflict', 'invalid')) this.tell(sentence(error), 'error');
    }
  }

  async stopAnalysis(): Promise<void> {
    const session = this.session;
    if (session === null) return;
    try {
      const state = await this.client.stopAnalysis(session.id);
      if (state) this.analysis = newerAnalysis(this.analysis, state, this.session);
    } catch (error) {
      this.tell(sentence(error), 'error');
    }
  }

  async toggleAnalysis(): Promise<void> {
    if (this.mode === 'play') return this.toggleValues();
    const running = this.analysing;
    await (running ? this.stopAnalysis() : this.startAnalysis());
    this.say(running ? 'Analysis stopped' : 'Analysis started');
  }

  async toggleValues(): Promise<void> {
    const session = this.session;
    if (session === null) return;
    const show = !this.showsValues;
    if (session.mode === 'analyse') {
      this.valuesOnBoard = show;
    } else {
      // To analyse is to ask for values; to hide them ends the analysis.
      if (show) await this.startAnalysis();
      else await this.#act((id) => this.client.changeSession(id, { showValues: false }));
    }
    this.say(show ? 'Values shown' : 'Values hidden');
  }

  toggleOverlay(name: OverlayName): void {
    this.overlay = this.overlay === name ? null : name;
    if (this.overlay !== null) this.#overlay = this.overlay;
    this.say(this.overlay === null ? 'Overlay off' : `Overlay ${name}`);
  }

  toggleOverlays(): void {
    this.toggleOverlay(this.overlay ?? this.#overlay);
  }

  /** Fetches the overlays of the position shown; a later one overtakes an earlier one. */
  async loadOverlays(id: string, node: number): Promise<void> {
    try {
      const overlays = await this.client.overlays(id, node);
      if (this.session?.id === id && this.session.node === node) this.overlays = overlays;
    } catch (error) {
      this.overlay = null;
      this.tell(sentence(error), 'error');
    }
  }

  async askHint(): Promise<void> {
    const session = this.session;
    if (session === null || session.outcome !== null || !this.canPlay) {
      this.say('There is nothing to hint at now.');
      return;
    }
    await this.#while('hint', async () => {
      try {
        const hint = await this.client.hint(session.id);
        if (this.session?.node !== hint.node) return;
        this.hint = hint;
        this.say(hint.text);
      } catch (error) {
        this.tell(sentence(error), 'error');
      }
    });
  }

  /** *Why not here?* for a legal square, *why?* for the best move otherwise. */
  whySquare(square: SquareIndex | null): void {
    const session = this.session;
    if (session === null || this.line !== null) return;
    if (square === null) {
      void this.askWhy(session.node, null);
      return;
    }
    const move = session.legal.find((it) => it.square === square);
    if (move === undefined) {
      this.tell(`${nameOf(square)} is not a legal move here, so there is nothing to compare.`);
    } else if (!this.canPlay) {
      this.tell(this.#whyNoMove(session, move.move));
    } else {
      void this.askWhy(session.node, move.move);
    }
  }

  async askWhy(node: number, move: string | null): Promise<void> {
    const session = this.session;
    if (session === null) return;
    const asked: Why = {
      node,
      move,
      askedAt: session.node,
      state: 'loading',
      explanation: null,
      problem: '',
    };
    this.why = asked;
    this.reason = null;
    this.dialog = null;
    this.closeLine();
    try {
      const answer = await this.#explained(session.id, asked);
      if (this.why !== asked) return;
      this.why = answer;
      this.say(`${answer.explanation.title} ${answer.explanation.summary}`);
    } catch (error) {
      if (this.why === asked) this.why = { ...asked, state: 'failed', problem: sentence(error) };
    }
  }

  async #explained(id: string, asked: Why) {
    const { node, move } = asked;
    const explanation = await this.client.explain(id, node, move ?? undefined);
    return { ...asked, state: 'ready' as const, explanation };
  }

  /** The analysis goes on behind an answer: what it has overtaken is asked again, in silence. */
  async #keepUp(): Promise<void> {
    const { why, report, session } = this;
    if (session === null || report === null || why === null || why.explanation === null) return;
    // Who looks at a reason or a line reads on undisturbed.
    if (why.node !== session.node || this.reason !== null || this.line !== null) return;
    if (this.#keepingUp || this.#keptUpWith === report) return;
    if (!isOvertaken(why.explanation, report)) return;
    this.#keepingUp = true;
    this.#keptUpWith = report;
    try {
      const answer = await this.#explained(session.id, why);
      if (this.why === why && this.reason === null && this.line === null) this.why = answer;
    } catch {
      // The old answer stands, with the depth that it was given at.
    } finally {
      this.#keepingUp = false;
    }
  }

  closeWhy(): void {
    this.why = null;
    this.reason = null;
    this.closeLine();
  }

  /** A click on a reason: its squares light up, and its line can be stepped through. */
  async chooseReason(index: number): Promise<void> {
    const reason = this.why?.explanation?.reasons[index];
    if (reason === undefined || this.why === null) return;
    if (this.reason === index) {
      this.reason = null;
      this.closeLine();
      return;
    }
    this.reason = index;
    this.line = null;
    if (reason.line.length > 0) {
      await this.showLine(reason.text, this.why.node, reason.line, reason.line.length);
    }
  }

  async showLine(title: string, node: number, moves: string[], index = 1): Promise<void> {
    const session = this.session;
    if (session === null || moves.length === 0) return;
    try {
      const preview = await this.client.preview(session.id, node, moves);
      if (this.session?.id !== session.id || this.session.node !== session.node) return;
      this.line = {
        title,
        node,
        steps: preview.steps,
        index: Math.min(index, preview.steps.length),
        startBoard: node === session.node ? session.position.board : null,
      };
      this.say(`Showing a line of ${preview.steps.length} moves. Escape returns to the game.`);
    } catch (error) {
      this.tell(sentence(error), 'error');
    }
  }

  closeLine(): void {
    this.line = null;
  }

  // ── After a blunder ──────────────────────────────────────────────────────────────────────────

  async showBlunder(): Promise<void> {
    const blunder = this.blunder;
    const node = this.session && blunder ? nodeOf(this.session, blunder.node) : undefined;
    if (blunder === null || node === undefined || node.parent === null) return;
    const parent = node.parent;
    await this.askWhy(parent, blunder.move);
    const line = this.why?.explanation?.comparison.best.line;
    if (line) await this.showLine(`Better: ${blunder.best.move}`, parent, line);
  }

  async tryAgain(): Promise<void> {
    const blunder = this.blunder;
    const node = this.session && blunder ? nodeOf(this.session, blunder.node) : undefined;
    if (node === undefined || node.parent === null) return;
    this.blunderClosed = node.id;
    await this.goto(node.parent);
  }

  // ── Games from outside ───────────────────────────────────────────────────────────────────────

  async readGames(content: Blob | string, name?: string): Promise<void> {
    this.dialog = 'paste';
    this.import = { state: 'reading', result: null, problem: '' };
    try {
      const result = await this.client.importGames(content, name);
      this.import = { state: 'read', result, problem: '' };
      if (result.total === 1 && result.nProblems === 0) await this.openGame(result, 0);
    } catch (error) {
      this.import = { state: 'failed', result: null, problem: sentence(error) };
    }
  }

  async openGame(result: ImportResult, game: number): Promise<void> {
    await this.newGame({ mode: 'analyse', import: result.id, game });
    this.import = null;
    this.tell(`Recognised as ${result.format}.`);
  }

  // ── Settings and sentences ───────────────────────────────────────────────────────────────────

  async changeSettings(change: SettingsChange): Promise<void> {
    try {
      this.settings = await this.client.changeSettings(change);
    } catch (error) {
      this.tell(sentence(error), 'error');
    }
  }

  async loadAbout(): Promise<void> {
    if (this.about !== null) return;
    try {
      this.about = await this.client.about();
    } catch (error) {
      this.tell(sentence(error), 'error');
    }
  }

  tell(text: string, level: Toast['level'] = 'info'): void {
    this.#toast += 1;
    const toast = { id: this.#toast, level, text };
    this.toasts = [...this.toasts.filter((it) => it.text !== text).slice(-2), toast];
    window.setTimeout(() => this.dismiss(toast.id), level === 'info' ? TOAST_MS : 2 * TOAST_MS);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((it) => it.id !== id);
  }

  say(text: string): void {
    // A live region is silent if its text stays the same; an invisible blank makes it another one.
    this.spoken = text === this.spoken ? `${text}\u00a0` : text;
  }

  // ── Requests ─────────────────────────────────────────────────────────────────────────────────

  /** One after the other, so that quick keys arrive in the order in which they were pressed. */
  #act(
    request: (session: string) => Promise<SessionView>,
    refused: (error: unknown) => void = (error) => this.tell(sentence(error), 'warning'),
  ): Promise<void> {
    const run = this.#queue.then(async () => {
      try {
        this.show(await request(this.session?.id ?? 'current'));
      } catch (error) {
        refused(error);
      }
    });
    this.#queue = run;
    return run;
  }

  async #while(what: 'hint' | 'best' | 'import', work: () => Promise<void>): Promise<void> {
    if (this.busy.get(what)) return;
    this.busy.set(what, true);
    try {
      await work();
    } finally {
      this.busy.delete(what);
    }
  }
}

function isCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof ApiError && (codes as string[]).includes(error.code);
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
