// Requests to the server. One method per address; all shapes are the generated ones.

import type {
  About,
  AddEngineWish,
  AnalysisState,
  AnalysisWish,
  Attempt,
  EngineEntry,
  EngineLog,
  EngineOptions,
  EngineOptionsChange,
  Engines,
  EngineTrial,
  ErrorBody,
  ErrorCode,
  Explanation,
  ExportFormat,
  Exported,
  Glyph,
  GotoWish,
  Hint,
  ImportResult,
  Job,
  Level,
  Login,
  Look,
  MoveWish,
  NewGame,
  Overlays,
  PositionCheck,
  Preview,
  Review,
  ReviewWish,
  SelfTest,
  SessionChange,
  SessionSummary,
  SessionView,
  Settings,
  SettingsChange,
  WhereToLook,
  You,
} from './wire';

/** A refusal, or no answer at all. The message is a sentence for people. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | 'unreachable',
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

type Fetch = typeof fetch;

export class Client {
  readonly #fetch: Fetch;

  constructor(fetcher: Fetch = (input, init) => fetch(input, init)) {
    this.#fetch = fetcher;
  }

  login = (login: Login) => this.#send<void>('POST', '/api/login', login);
  about = () => this.#send<About>('GET', '/api/about');
  selfTest = () => this.#send<SelfTest>('GET', '/api/self-test');
  levels = () => this.#send<Level[]>('GET', '/api/levels');
  you = () => this.#send<You>('GET', '/api/you');
  settings = () => this.#send<Settings>('GET', '/api/settings');
  changeSettings = (change: SettingsChange) => this.#send<Settings>('PUT', '/api/settings', change);

  sessions = () => this.#send<SessionSummary[]>('GET', '/api/sessions');
  session = (id: string) => this.#send<SessionView>('GET', session(id));
  newGame = (wish: NewGame) => this.#send<SessionView>('POST', '/api/sessions', wish);
  changeSession = (id: string, change: SessionChange) =>
    this.#send<SessionView>('PATCH', session(id), change);
  deleteSession = (id: string) => this.#send<void>('DELETE', session(id));
  play = (id: string, wish: MoveWish) =>
    this.#send<SessionView>('POST', session(id, 'moves'), wish);
  bestMove = (id: string) => this.#send<SessionView>('POST', session(id, 'best-move'));
  engineMove = (id: string) => this.#send<SessionView>('POST', session(id, 'engine-move'));
  moveNow = (id: string) => this.#send<SessionView>('POST', session(id, 'move-now'));
  goto = (id: string, wish: GotoWish) => this.#send<SessionView>('POST', session(id, 'goto'), wish);
  resign = (id: string) => this.#send<SessionView>('POST', session(id, 'resign'));
  claimDraw = (id: string) => this.#send<SessionView>('POST', session(id, 'claim-draw'));
  undo = (id: string) => this.#send<SessionView>('POST', session(id, 'undo'));
  redo = (id: string) => this.#send<SessionView>('POST', session(id, 'redo'));

  deleteNode = (id: string, node: number) =>
    this.#send<SessionView>('DELETE', session(id, `nodes/${node}`));
  promote = (id: string, node: number, toMain: boolean) =>
    this.#send<SessionView>('POST', session(id, `nodes/${node}/promote`), { toMain });
  comment = (id: string, node: number, text: string) =>
    this.#send<SessionView>('PUT', session(id, `nodes/${node}/comment`), { text });
  glyphs = (id: string, node: number, glyphs: Glyph[]) =>
    this.#send<SessionView>('PUT', session(id, `nodes/${node}/glyphs`), { glyphs });

  startAnalysis = (id: string, wish: AnalysisWish) =>
    this.#send<AnalysisState>('POST', session(id, 'analysis'), wish);
  stopAnalysis = (id: string) =>
    this.#send<AnalysisState | undefined>('DELETE', session(id, 'analysis'));
  /** One engine of a session, or all. */
  stopEngine = (id: string, engine: string | null) =>
    this.#send<AnalysisState | undefined>(
      'DELETE',
      session(id, engine === null ? 'analysis' : `analysis?engine=${encodeURIComponent(engine)}`),
    );
  freeze = (id: string, frozen: boolean) =>
    this.#send<SessionView>('POST', session(id, 'analysis/freeze'), { frozen });
  /** The same while the page goes away: the answer finds nobody. */
  abandonAnalysis = (id: string) =>
    this.#request<unknown>(session(id, 'analysis'), { method: 'DELETE', keepalive: true });
  hint = (id: string) => this.#send<Hint>('POST', session(id, 'hint'));
  explain = (id: string, node: number, move?: string, look: Look = 'full') =>
    this.#send<Explanation>('GET', about(id, node, 'explain', move, look));
  attempt = (id: string, node: number, move: string) =>
    this.#send<Attempt>('POST', session(id, `nodes/${node}/attempt`), { move });
  seeAnswer = (id: string, node: number) =>
    this.#send<SessionView>('POST', session(id, `nodes/${node}/answer`));
  forgetTry = (id: string, node: number) =>
    this.#send<SessionView>('DELETE', session(id, `nodes/${node}/answer`));
  whereToLook = (id: string, node: number) =>
    this.#send<WhereToLook>('GET', session(id, `nodes/${node}/where`));
  keepLine = (id: string, node: number, moves: string[]) =>
    this.#send<SessionView>('POST', session(id, `nodes/${node}/line`), { moves });
  keepMove = (id: string) => this.#send<SessionView>('POST', session(id, 'keep'));
  checkPosition = (position: string) =>
    this.#send<PositionCheck>('POST', '/api/position', { position });
  overlays = (id: string, node: number) =>
    this.#send<Overlays>('GET', session(id, `nodes/${node}/overlays`));
  preview = (id: string, node: number, moves: string[]) =>
    this.#send<Preview>('POST', session(id, `nodes/${node}/preview`), { moves });

  startReview = (id: string, wish: ReviewWish) =>
    this.#send<Job>('POST', session(id, 'review'), wish);
  review = (id: string) => this.#send<Review>('GET', session(id, 'review'));
  cancelJob = (job: number) => this.#send<Job>('DELETE', `/api/jobs/${job}`);
  pauseJob = (job: number) => this.#send<Job>('POST', `/api/jobs/${job}/pause`);
  resumeJob = (job: number) => this.#send<Job>('POST', `/api/jobs/${job}/resume`);

  valueGame = (id: string, engine: string) =>
    this.#send<Job>('POST', session(id, 'values'), { engine });
  engines = () => this.#send<Engines>('GET', '/api/engines');
  addEngine = (wish: AddEngineWish) => this.#send<EngineEntry>('POST', '/api/engines', wish);
  allowDownloads = (allowed: boolean) =>
    this.#send<Engines>('POST', '/api/engines/consent', { allowed });
  removeEngine = (id: string) => this.#send<void>('DELETE', engineAt(id));
  installEngine = (id: string) => this.#send<Job>('POST', engineAt(id, 'install'));
  testEngine = (id: string) => this.#send<EngineTrial>('POST', engineAt(id, 'test'));
  engineOptions = (id: string) => this.#send<EngineOptions>('GET', engineAt(id, 'options'));
  changeEngineOptions = (id: string, change: EngineOptionsChange) =>
    this.#send<EngineOptions>('PATCH', engineAt(id, 'options'), change);
  pressButton = (id: string, button: string) =>
    this.#send<void>('POST', engineAt(id, 'press'), { button });
  installNetwork = (id: string, network: string) =>
    this.#send<Job>('POST', engineAt(id, `networks/${encodeURIComponent(network)}`));
  engineLog = (id: string) => this.#send<EngineLog>('GET', engineAt(id, 'log'));

  exportAs = (id: string, format: ExportFormat) =>
    this.#send<Exported>('GET', session(id, `export?format=${format}`));

  /** The bytes go as they are: what they are is found out by the server. */
  importGames(content: Blob | string, name?: string): Promise<ImportResult> {
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    return this.hand<ImportResult>(`/api/import${query}`, content);
  }

  /** For parts of the page that know their addresses themselves and are fetched later. */
  ask = <T>(method: string, path: string, body?: unknown) => this.#send<T>(method, path, body);

  /** Hands a file over as it is. */
  hand = <T>(path: string, content: Blob | string) =>
    this.#request<T>(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: content,
    });

  #send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.headers = { 'Content-Type': 'application/json' };
      init.body = JSON.stringify(body);
    }
    return this.#request<T>(path, init);
  }

  async #request<T>(path: string, init: RequestInit): Promise<T> {
    let response: Response;
    try {
      response = await this.#fetch(path, { ...init, credentials: 'same-origin' });
    } catch {
      throw new ApiError('unreachable', 'Kibitz does not answer. Is the program still running?');
    }
    if (!response.ok) throw await refusal(response);
    if (response.status === 204) return undefined as T;
    return (await response.json()) as T;
  }
}

function engineAt(id: string, rest = ''): string {
  const base = `/api/engines/${encodeURIComponent(id)}`;
  return rest === '' ? base : `${base}/${rest}`;
}

function session(id: string, rest = ''): string {
  const base = `/api/sessions/${encodeURIComponent(id)}`;
  return rest === '' ? base : `${base}/${rest}`;
}

function about(
  id: string,
  node: number,
  what: string,
  move: string | undefined,
  look: Look,
): string {
  const query = new URLSearchParams();
  if (move !== undefined) query.set('move', move);
  if (look !== 'full') query.set('look', look);
  const text = query.toString();
  return session(id, `nodes/${node}/${what}${text === '' ? '' : `?${text}`}`);
}

async function refusal(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as ErrorBody;
    return new ApiError(body.code, body.message);
  } catch {
    return new ApiError('internal', `The server answered ${response.status} without a reason.`);
  }
}
