// Generated from crates/server/src/wire by `KIBITZ_UPDATE=1 cargo test -p server wire`.
// Do not edit: a test compares it with its source.

/**
 * The colour of a player or of the side to move.
 */
export type Side = "black" | "white";

/**
 * Which sides a person plays.
 */
export type People = "black" | "white" | "both" | "nobody";

/**
 * What a session is for.
 */
export type Mode = "play" | "analyse";

/**
 * Who is expected to do something at the current position.
 */
export type Awaiting = "human" | "engine" | "nobody";

/**
 * A draw that a player of chess may claim.
 */
export type DrawClaim = "repetition" | "fiftyMoves";

/**
 * Discs and whose turn it is.
 */
export type OthelloPosition = {
/**
 * 64 characters, `X` black, `O` white, `-` empty, a1 b1 … h1 a2 … h8.
 */
board: string,
/**
 * Whose turn it is; `null` when the game is over.
 */
turn: Side | null, black: number, white: number, empties: number, };

/**
 * Which game is played.
 */
export type GameKind = "othello" | "chess";

/**
 * Men and whose turn it is.
 */
export type ChessBoard = {
/**
 * The whole position, for copying.
 */
fen: string,
/**
 * 64 characters, capitals white, `-` empty, a1 b1 … h1 a2 … h8.
 */
board: string,
/**
 * Whose turn it is; `null` when the game is over.
 */
turn: Side | null,
/**
 * The king that is in check.
 */
check: number | null,
/**
 * Whether castling follows the rules of Chess960.
 */
isChess960: boolean, };

/**
 * What is on a board; `kind` says of which game.
 */
export type PositionView = { "kind": "othello" } & OthelloPosition | { "kind": "chess" } & ChessBoard;

/**
 * What only moves of chess have.
 */
export type ChessStep = {
/**
 * Where the man stands.
 */
from: number,
/**
 * What a pawn becomes: `q`, `r`, `b` or `n`.
 */
promotion: string | null,
/**
 * The rook of castling, another square that means the move.
 */
rook: number | null, };

/**
 * A move that the side to move may make.
 */
export type LegalMove = {
/**
 * Such as `f5`, or `g1f3`.
 */
move: string,
/**
 * As players write it: `f5`, `Nf3`.
 */
text: string,
/**
 * Where a disc is put or a man ends, 0 to 63.
 */
square: number,
/**
 * The discs that it turns.
 */
flips: Array<number>,
/**
 * What only moves of chess have.
 */
chess: ChessStep | null, };

/**
 * The move that led to a position.
 */
export type LastMove = {
/**
 * Such as `f5`, or `ps` for a pass.
 */
move: string,
/**
 * As players write it.
 */
text: string,
/**
 * Where; `null` for a pass.
 */
square: number | null,
/**
 * Where a man of chess stood.
 */
from: number | null,
/**
 * The discs that it turned.
 */
flips: Array<number>, side: Side, };

/**
 * A comment on a move in one sign, as in books.
 */
export type Glyph = "!!" | "!" | "!?" | "?!" | "?" | "??";

/**
 * What is known about the worth of a position.
 */
export type NodeValue = {
/**
 * For Black, in centidiscs: what a graph of the game shows.
 */
black: number,
/**
 * For the side to move, in centidiscs.
 */
score: number,
/**
 * Chess: moves to a forced mate, negative if the side to move is mated.
 */
mate: number | null, depth: number,
/**
 * Whether the score is proven.
 */
solved: boolean,
/**
 * What the move that led here gave away, in centidiscs, where both positions were valued; 0
 * or more.
 */
loss: number | null,
/**
 * The sign that the move deserves by what it gave away; `null` if it was fine.
 */
glyph: Glyph | null, };

/**
 * How a mistake stands with a reader who is asked to find a better move.
 */
export type Tried = "found" | "seen";

/**
 * A position in the tree of moves.
 */
export type Node = {
/**
 * Its name in this session; never used again for another one.
 */
id: number,
/**
 * Where it comes from; `null` for the start position.
 */
parent: number | null,
/**
 * What follows it; the first is the main continuation, the others are variations.
 */
children: Array<number>,
/**
 * Moves, passes included, from the start.
 */
ply: number,
/**
 * The number that a move list shows, in chess that of both sides' moves; passes have none, and
 * the start has none.
 */
number: number | null,
/**
 * The move that led here, `ps` for a pass; `null` for the start.
 */
move: string | null,
/**
 * The same as players write it: `f5`, `Nf3`.
 */
text: string | null, side: Side | null,
/**
 * Whether the main line goes through it.
 */
isMain: boolean,
/**
 * What somebody wrote about it; may be several lines.
 */
comment: string | null, glyphs: Array<Glyph>,
/**
 * Its worth, if known and to be shown.
 */
value: NodeValue | null,
/**
 * How a reader stands with the mistake that was made here; `null` if nothing was tried.
 */
tried: Tried | null, };

/**
 * The opening that a line of moves belongs to, by its name.
 */
export type Opening = {
/**
 * Such as `Tiger`.
 */
name: string,
/**
 * The part of the game that has that name: so many moves from the start.
 */
ply: number,
/**
 * Whether the game is still in it at the current position.
 */
isCurrent: boolean, };

/**
 * Why a game is over.
 */
export type OutcomeReason = "rules" | "time" | "resignation";

/**
 * How a game ended.
 */
export type Outcome = {
/**
 * Black's discs, empty squares counted for the winner; 0 in chess.
 */
black: number, white: number,
/**
 * Who won; `null` is a draw.
 */
winner: Side | null,
/**
 * Why it is over.
 */
reason: OutcomeReason, text: string, };

/**
 * The time left. Between two of these the browser counts down by itself.
 */
export type Clock = {
/**
 * Milliseconds left for Black at the moment this was made.
 */
blackMs: number,
/**
 * Milliseconds left for White.
 */
whiteMs: number,
/**
 * What each move adds.
 */
incrementMs: number,
/**
 * Whose clock runs; `null` while it stands still.
 */
running: Side | null,
/**
 * Whose time has run out.
 */
flagged: Side | null, };

/**
 * Who a player is.
 */
export type PlayerKind = "human" | "engine" | "recorded";

/**
 * The name of a player, and whether a person or the engine moves for it.
 */
export type PlayerInfo = {
/**
 * Who moves for this side.
 */
kind: PlayerKind,
/**
 * The name to show.
 */
name: string, };

/**
 * Who plays Black and who plays White.
 */
export type Players = { black: PlayerInfo, white: PlayerInfo, };

/**
 * What a record says about the game as a whole.
 */
export type GameTags = { event: string | null,
/**
 * As the file has it.
 */
date: string | null,
/**
 * Black's final score in centidiscs, as the file has it.
 */
result: number | null, };

/**
 * A move of a person in Play that gave away a lot. What would have been better is not told: ask
 * `…/explain` for that.
 */
export type Blunder = {
/**
 * The node that the move led to; its parent is where to try again.
 */
node: number, move: string, };

/**
 * Everything about a session that a screen shows.
 */
export type SessionView = {
/**
 * The session's name in addresses.
 */
id: string,
/**
 * Grows with every change. Of two views the one with the greater number is newer: drop a view
 * whose number is smaller than what is on the screen.
 */
revision: number,
/**
 * What the user calls it.
 */
title: string | null,
/**
 * Why its last change is not on disk yet, if it is not: a sentence.
 */
notSaved: string | null,
/**
 * Which game is played.
 */
game: GameKind,
/**
 * What it is for.
 */
mode: Mode,
/**
 * Which sides a person plays.
 */
people: People, level: string,
/**
 * The foreign engine that plays in the place of the level, by its name on the shelf.
 */
opponent: string | null,
/**
 * What searches for the level.
 */
engine: EngineName,
/**
 * How long the engine may think about a move, in milliseconds; `null` is the level's own time.
 */
moveMs: number | null,
/**
 * Whether values may be seen now (in Play they are hidden until asked for).
 */
showValues: boolean, node: number, position: PositionView,
/**
 * What may be played there by whoever is to move; empty if a pass is due or the game is over.
 */
legal: Array<LegalMove>,
/**
 * Whether the side to move has to pass: play `ps`. Passes of a game against a level are made
 * by the server.
 */
mustPass: boolean,
/**
 * The move that led there.
 */
lastMove: LastMove | null,
/**
 * All positions, parents before children; the first is the start.
 */
tree: Array<Node>,
/**
 * The nodes that a move list shows: from the start through the current node to the end of
 * what was last looked at behind it.
 */
line: Array<number>, opening: Opening | null,
/**
 * Moves of the opening book at the current node, heaviest first; none while values are hidden.
 * They are marked beside the engine's values, which they do not change.
 */
book: Array<string>,
/**
 * A sentence about what is going on, such as "Black to move · 36 empty".
 */
status: string,
/**
 * How the game ended, if it has at the current node.
 */
outcome: Outcome | null,
/**
 * The clock, if one is used.
 */
clock: Clock | null,
/**
 * Who has to do something.
 */
awaiting: Awaiting,
/**
 * Whether the engine is choosing its move.
 */
thinking: boolean,
/**
 * Whether `POST …/undo` would do something.
 */
canUndo: boolean,
/**
 * Whether there is a game of a person against an engine to give up.
 */
canResign: boolean,
/**
 * The draw that the person may claim now, if there is one.
 */
drawClaim: DrawClaim | null,
/**
 * Whether `POST …/redo` would do something.
 */
canRedo: boolean, players: Players, tags: GameTags,
/**
 * The last move of a person, if it was a blunder and lies behind the current node.
 */
blunder: Blunder | null,
/**
 * Whether the line shown is a whole game: it ends where the game does, or its record has a
 * result.
 */
isFinished: boolean,
/**
 * Whether the last move waits with both clocks stopped: it is being looked at, or, if it is
 * the `blunder`, it waits to be kept (`POST …/keep`) or taken back.
 */
isHeld: boolean,
/**
 * Whether the coach may ask about moves that cost much in this game.
 */
asks: boolean,
/**
 * The analyses that run or ran last for the current node, one for each engine.
 */
analyses: Array<AnalysisState>, };

/**
 * What has changed in a session since a revision: everything but the tree as it is now, and the
 * nodes that differ.
 */
export type SessionPatch = {
/**
 * The revision that it fits. With any other, ask for the whole session.
 */
base: number,
/**
 * The session as it is now, with an empty tree.
 */
view: SessionView,
/**
 * Nodes that are new or different, in the order of their ids.
 */
changed: Array<Node>,
/**
 * Nodes that are gone.
 */
removed: Array<number>, };

/**
 * A session in a list.
 */
export type SessionSummary = {
/**
 * Its name in addresses.
 */
id: string, revision: number,
/**
 * Which game is played.
 */
game: GameKind,
/**
 * What it is for.
 */
mode: Mode,
/**
 * Moves on its main line.
 */
plies: number,
/**
 * What the user calls it.
 */
title: string | null,
/**
 * The names of Black's and White's players, if it has any.
 */
players: [string, string] | null,
/**
 * How the game ended, or what is going on in it; for a file that cannot be used, why not.
 */
status: string,
/**
 * Whether it can be opened; a file of a newer version or a damaged one cannot.
 */
isUsable: boolean,
/**
 * Whether it is what `current` means.
 */
isCurrent: boolean, };

/**
 * How to read a score.
 */
export type Bound = "exact" | "lower" | "upper";

/**
 * A move and what follows it.
 */
export type Line = {
/**
 * The first move, such as `f5`, or `ps`.
 */
move: string,
/**
 * Where; `null` for a pass.
 */
square: number | null,
/**
 * For the side to move, in centidiscs.
 */
score: number,
/**
 * Chess: moves to a forced mate, negative if the side to move is mated.
 */
mate: number | null,
/**
 * How to read it.
 */
bound: Bound,
/**
 * The move and the best play after it.
 */
moves: Array<string>,
/**
 * The same as players write it.
 */
texts: Array<string>,
/**
 * The sign that the move deserves beside the best one; `null` if it is fine.
 */
glyph: Glyph | null, };

/**
 * What a search counted besides its positions.
 */
export type Statistics = {
/**
 * Positions left before all their moves were tried; `null` if the engine does not count them.
 */
cutoffs: number | null,
/**
 * Positions answered by a bound from the table; `null` if the engine does not count them.
 */
boundsUsed: number | null,
/**
 * Look-ups in the table of positions.
 */
probes: number,
/**
 * Look-ups that found their position.
 */
hits: number, stores: number,
/**
 * Written entries that displaced another position of the same search.
 */
replacements: number,
/**
 * How full the table is, per thousand.
 */
fillPermille: number, };

/**
 * What a search found.
 */
export type Report = {
/**
 * Who is to move: scores are this side's.
 */
side: Side,
/**
 * The position's value for the side to move, in centidiscs.
 */
score: number,
/**
 * The same for Black.
 */
black: number,
/**
 * Chess: moves to a forced mate, negative if the side to move is mated.
 */
mate: number | null,
/**
 * Chess: how many of a thousand games the side to move wins, draws and loses, if the engine
 * says it.
 */
chances: [number, number, number] | null,
/**
 * How to read it.
 */
bound: Bound, depth: number,
/**
 * Plies of the longest line looked at, if the engine says it.
 */
selectiveDepth: number | null,
/**
 * Whether the score is proven to the end of the game.
 */
solved: boolean,
/**
 * How likely the search's cuts were right, in percent; 100 is no prediction.
 */
confidencePercent: number, nodes: number, timeMs: number,
/**
 * What else was counted; `null` if nothing was.
 */
statistics: Statistics | null, lines: Array<Line>,
/**
 * A short text: `depth 20`, or `solved`.
 */
label: string,
/**
 * Who found it, with which weights: `Kibitz 0.1.0 (pattern:shipped)`.
 */
source?: string, };

/**
 * What to analyse, and how.
 */
export type AnalysisWish = {
/**
 * The node; the current one if left out. Without it, the analysis follows the current node
 * wherever that goes until it is stopped.
 */
node?: number,
/**
 * How many lines; 1 if left out.
 */
lines?: number,
/**
 * Values of all legal moves: as many lines as there are moves.
 */
allMoves?: boolean,
/**
 * Stop at this depth.
 */
depth?: number,
/**
 * Stop after so many milliseconds.
 */
timeMs?: number,
/**
 * What searches: `alphabeta`, `mcts`, or a foreign engine by its name on the shelf; our own as
 * configured if left out.
 */
engine?: string,
/**
 * Only these moves are looked at; all if left out. Our own engine looks at all.
 */
only?: Array<string>, };

/**
 * Whether analyses stay where they are while the reader walks on.
 */
export type FreezeWish = { frozen: boolean, };

/**
 * What an engine thinks of a move that another engine chose.
 */
export type Judgement = { move: string,
/**
 * As players write it.
 */
text: string,
/**
 * For the side to move, in hundredths.
 */
score: number, mate: number | null, depth: number, };

/**
 * Where an analysis stands.
 */
export type AnalysisStatus = "running" | "finished" | "stopped" | "failed";

/**
 * An analysis and its latest report. A report belongs to its session, engine, node and generation:
 * drop one whose generation is smaller than the greatest you have seen of that session and engine.
 */
export type AnalysisState = { session: string,
/**
 * What searches: `alphabeta`, `mcts`, or a foreign engine. Each has one analysis for each
 * session.
 */
engine: string,
/**
 * What the engine is called.
 */
title: string,
/**
 * The node that is analysed.
 */
node: number,
/**
 * Grows with every analysis that is started.
 */
generation: number, status: AnalysisStatus,
/**
 * How many lines were asked for.
 */
lines: number,
/**
 * Whether it follows the current node.
 */
follows: boolean,
/**
 * The moves that it looks at; none means all.
 */
only: Array<string>,
/**
 * The latest report; `null` before the first.
 */
report: Report | null,
/**
 * The move that it would play, where it tells no values; as players write it.
 */
choice: string | null,
/**
 * What it thinks of the choices of other engines, beside its own lines.
 */
judgements: Array<Judgement>,
/**
 * Positions that it found in tables of endgames, if any.
 */
tablebaseHits: number | null,
/**
 * What went wrong, as the rest of a sentence that begins with its name.
 */
trouble: string | null, };

/**
 * A good move, with the words to tell it.
 */
export type Hint = {
/**
 * Where it was asked for.
 */
node: number,
/**
 * The best move with its flips; `null` if it is a pass.
 */
best: LegalMove | null, text: string,
/**
 * What it rests on.
 */
report: Report, };

/**
 * Moves to look at without making them.
 */
export type PreviewWish = {
/**
 * Moves from the node on, such as `["b2", "a1"]`; passes may be written (`ps`) or left out.
 */
moves: Array<string>, };

/**
 * One position of a previewed line.
 */
export type PreviewStep = {
/**
 * The move that led here, `ps` for a pass.
 */
move: string,
/**
 * Where; `null` for a pass.
 */
square: number | null, side: Side,
/**
 * Where a man of chess stood.
 */
from: number | null,
/**
 * As players write it.
 */
text: string,
/**
 * The discs that it turned.
 */
flips: Array<number>,
/**
 * The position after it.
 */
position: PositionView, };

/**
 * A line, position by position.
 */
export type Preview = { node: number,
/**
 * Its positions, in order.
 */
steps: Array<PreviewStep>, };

/**
 * What a reason rests on.
 */
export type ReasonKind = "fact" | "count" | "model" | "tradeOff";

/**
 * One sentence of a card, for or against the move, with the squares it speaks of.
 */
export type Reason = {
/**
 * What it rests on.
 */
kind: ReasonKind, text: string,
/**
 * The squares that it speaks of.
 */
squares: Array<number>,
/**
 * The line that shows it, from the explained node on; empty if there is none.
 */
line: Array<string>, };

/**
 * A move in a comparison.
 */
export type Candidate = { move: string,
/**
 * Where; `null` for a pass.
 */
square: number | null,
/**
 * For the side to move, in centidiscs.
 */
score: number,
/**
 * The move and the best play after it.
 */
line: Array<string>, };

/**
 * Two moves side by side.
 */
export type Comparison = { best: Candidate,
/**
 * The move that it is compared with: the one that was asked about, else the best of those that
 * are worse; `null` if there is none.
 */
given: Candidate | null,
/**
 * What the given move gives away, in centidiscs; 0 if it is the best.
 */
loss: number, };

/**
 * The classes of mistakes that the coach tells apart.
 */
export type MistakeKind = "mobilityLeak" | "parityFlip" | "frontierBloat" | "xSquarePoison" | "cornerGiven" | "cornerOpened" | "cornerMissed" | "wipeOutMissed" | "passMissed" | "safeMovesSpent" | "accessLost" | "parityLost" | "quietMoveWasted" | "squareLeft" | "loudMove" | "wallBuilt" | "edgeLost" | "stabilityLost" | "cornerRisked" | "sacrificeMissed" | "mobilityLost" | "theoryLeft" | "endgameMiscount" | "tempoWaste";

/**
 * What went wrong with a move.
 */
export type Mistake = { kind: MistakeKind,
/**
 * What people call it, such as "mobility leak".
 */
name: string, text: string,
/**
 * The squares that it speaks of.
 */
squares: Array<number>,
/**
 * The line that shows it, from before the move on.
 */
line: Array<string>, };

/**
 * The features whose counts stand in the two-ply table.
 */
export type Feature = "mobility" | "potentialMobility" | "frontier" | "stable" | "corners" | "discs" | "parity" | "risk";

/**
 * How something that players count changes by a move.
 */
export type FeatureChange = { key: Feature,
/**
 * Such as "Your moves".
 */
name: string, side: Side,
/**
 * After the best move and its best reply.
 */
best: number,
/**
 * After the given move and its best reply.
 */
given: number, };

/**
 * Which report an explanation was made from: one that differs from what is on the screen is stale.
 */
export type Origin = {
/**
 * The analysis that found it; `null` if the coach looked for itself or explained a hint.
 */
generation: number | null, depth: number,
/**
 * Whether its score is proven.
 */
solved: boolean,
/**
 * The engine with its version and weights.
 */
source: string, nodes: number, };

/**
 * How long to look for an answer.
 */
export type Look = "first" | "full";

/**
 * How sure a verdict is.
 */
export type Certainty = "open" | "stable" | "proven";

/**
 * How bad a move was, by the winning chances that it cost.
 */
export type Severity = "fine" | "inaccuracy" | "mistake" | "blunder";

/**
 * What a move cost.
 */
export type MoveJudgement = {
/**
 * What the move costs, in centidiscs.
 */
loss: number,
/**
 * The mover's winning chances with the best move, 0 to 1.
 */
chanceBefore: number,
/**
 * With the move itself.
 */
chanceAfter: number, severity: Severity, };

/**
 * Why a move is good, or another one is not.
 */
export type Explanation = { node: number,
/**
 * Who is to move there.
 */
side: Side, comparison: Comparison,
/**
 * The move that was asked about, if one was.
 */
asked: string | null,
/**
 * A heading, such as "Why not b2?".
 */
title: string,
/**
 * What a club player would say aloud; `null` if nothing simple speaks for the best move.
 */
headline: string | null,
/**
 * The headline, or that there is no simple reason, and what the given move costs.
 */
summary: string,
/**
 * The strongest first, three at most; may be empty.
 */
reasons: Array<Reason>,
/**
 * The other reasons, to be shown on request.
 */
more: Array<Reason>, certainty: Certainty,
/**
 * The same in words: "proven", "at depth 18; not proven".
 */
certaintyWords: string,
/**
 * Whether this is a first look, which the full answer may contradict: ask again without `look`.
 */
isProvisional: boolean,
/**
 * Whether the heaviest reason speaks for the other move.
 */
isTradeOff: boolean,
/**
 * Other moves that are known to be as good as the best.
 */
asGood: Array<string>,
/**
 * What the asked move cost; `null` if none was asked about.
 */
judgement: MoveJudgement | null,
/**
 * What kinds of mistake the given move was.
 */
mistakes: Array<Mistake>,
/**
 * What players count two plies after either move; the greatest change first. Empty if there is
 * no other move.
 */
features: Array<FeatureChange>,
/**
 * The report that all of this was made from.
 */
origin: Origin,
/**
 * How deep the scores are: `depth 20`, or `solved`.
 */
label: string, depth: number,
/**
 * Whether the scores are proven.
 */
solved: boolean, };

/**
 * A square of an overlay and how strongly it is shaded.
 */
export type Heat = { square: number, intensity: number,
/**
 * The number behind it, such as how many empty squares are beside a disc.
 */
count: number, };

/**
 * A legal move and the moves that both sides have after it.
 */
export type MoveHeat = { square: number,
/**
 * From 0, the fewest own moves, to 1, the most.
 */
intensity: number,
/**
 * The mover's moves after it, as if it were its turn again.
 */
own: number,
/**
 * Moves that the opponent has in answer.
 */
replies: number, };

/**
 * A connected set of empty squares.
 */
export type ParityRegion = { squares: Array<number>,
/**
 * Whether their number is odd.
 */
isOdd: boolean,
/**
 * Who gets the last move in it if both play there in turn.
 */
controller: Side | null,
/**
 * Squares where somebody has to move soon.
 */
mustMoveSoon: Array<number>, };

/**
 * What an arrow means.
 */
export type CornerArrowKind = "opens" | "closes";

/**
 * A square that opens or closes a corner within two plies.
 */
export type CornerArrow = { from: number, corner: number,
/**
 * For whom the corner opens or closes.
 */
side: Side, kind: CornerArrowKind, };

/**
 * What can be laid over the board of a node.
 */
export type Overlays = { node: number,
/**
 * Whether only the most promising moves were looked at.
 */
isApproximate: boolean,
/**
 * Legal moves by how many moves both sides have afterwards.
 */
mobility: Array<MoveHeat>,
/**
 * Regions of so few squares that their parity matters.
 */
parity: Array<ParityRegion>,
/**
 * Discs by how safe they are; `count` is 1 for Black and -1 for White.
 */
stability: Array<Heat>, corners: Array<CornerArrow>,
/**
 * Discs next to an empty square; `count` is how many.
 */
frontier: Array<Heat>, };

/**
 * The parts of a game.
 */
export type Phase = "opening" | "middlegame" | "endgame";

/**
 * What one side lost, in a game or in a part of it.
 */
export type Tally = { moves: number,
/**
 * What they cost together, in centidiscs.
 */
loss: number,
/**
 * 0 to 100; `null` if there was nothing to choose.
 */
accuracy: number | null, inaccuracies: number, mistakes: number, blunders: number, };

/**
 * What both sides lost in a part of the game.
 */
export type PhaseReview = { phase: Phase, black: Tally, white: Tally, };

/**
 * What a position of a reviewed game is worth.
 */
export type GraphPoint = { node: number,
/**
 * For Black, in centidiscs.
 */
black: number,
/**
 * Black's winning chances, 0 to 1.
 */
chance: number, depth: number,
/**
 * Whether it is proven.
 */
solved: boolean,
/**
 * Whether the move that led here was judged; otherwise it is a first look.
 */
isJudged: boolean, };

/**
 * How thorough a review should be.
 */
export type ReviewWish = {
/**
 * Plies for each position; a sensible default if left out.
 */
depth?: number, };

/**
 * A move of a reviewed game.
 */
export type ReviewedMove = {
/**
 * The node that the move led to.
 */
node: number,
/**
 * Which move of the game it is, from 1; passes are not counted.
 */
number: number, side: Side, move: string,
/**
 * What would have been best.
 */
best: string,
/**
 * What it gave away, in centidiscs.
 */
loss: number,
/**
 * What it gave away in winning chances, 0 to 1.
 */
chanceLoss: number | null,
/**
 * The mover's winning chances with the best move, 0 to 1.
 */
chanceBefore: number,
/**
 * With the move itself.
 */
chanceAfter: number, severity: Severity, certainty: Certainty, phase: Phase,
/**
 * What a club player would say about it; `null` if it cost nothing, or nothing simple is to be
 * said.
 */
headline: string | null,
/**
 * The sign it deserves.
 */
glyph: Glyph | null,
/**
 * What kinds of mistake it was.
 */
mistakes: Array<Mistake>,
/**
 * The move and the best play after it.
 */
playedLine: Array<string>,
/**
 * The best move and the best play after it.
 */
bestLine: Array<string>,
/**
 * What the search before the move said.
 */
report: Report, };

/**
 * A reviewed game, as far as it has come.
 */
export type Review = { session: string,
/**
 * Whether all moves are in.
 */
isComplete: boolean,
/**
 * Values of the positions of the line, in its order: first a first look at all, then, from the
 * end, what the judged moves say.
 */
graph: Array<GraphPoint>,
/**
 * Moves in the order of the game. They come in from its end.
 */
moves: Array<ReviewedMove>,
/**
 * Nodes of moves that gave away something worth speaking of, in the order of the game.
 */
mistakes: Array<number>, black: Tally, white: Tally, phases: Array<PhaseReview>,
/**
 * The node of the move that turned the game, once all moves are in; `null` if none did.
 */
turningPoint: number | null,
/**
 * How it went, what turned it, what followed; empty until all moves are in.
 */
summary: Array<string>,
/**
 * The same for a reader who is still to try a mistake: it names no better move.
 */
summaryUntried: Array<string>, };

/**
 * A move that a reader tries at a mistake.
 */
export type AttemptWish = { move: string, };

/**
 * What a try was worth.
 */
export type Found = "yes" | "better" | "no";

/**
 * A try at a mistake, judged without telling a better move.
 */
export type Attempt = { move: string, found: Found,
/**
 * A sentence about it.
 */
text: string, };

/**
 * A part of the board that has the best move in it, and others, too.
 */
export type WhereToLook = { squares: Array<number>, };

/**
 * What is swapped for a cookie.
 */
export type Login = { "code": string } | { "token": string };

/**
 * An address that lets one browser in, once.
 */
export type Invitation = { url: string,
/**
 * After so many seconds it is good no more.
 */
expiresS: number, };

/**
 * Time for a game.
 */
export type TimeControlWish = {
/**
 * Each side's time, in milliseconds.
 */
initialMs: number,
/**
 * What each move adds, in milliseconds.
 */
incrementMs: number, };

/**
 * A place in a game.
 */
export type From = { session: string, node: number, };

/**
 * A foreign engine to play against.
 */
export type OpponentWish = {
/**
 * Its name on the shelf.
 */
engine: string,
/**
 * Settings for this game in the engine's own words, names and values: `UCI_Elo`, `Skill Level`.
 */
options?: Array<[string, string]>,
/**
 * It looks so many plies ahead …
 */
depth?: number,
/**
 * … and at so many positions, beside the clock and the time for a move.
 */
nodes?: number, };

/**
 * A new session. What is left out comes from the settings.
 */
export type NewGame = {
/**
 * Which game; Othello if left out.
 */
kind?: GameKind,
/**
 * A foreign engine that plays in the place of a level.
 */
opponent?: OpponentWish,
/**
 * Play if left out.
 */
mode?: Mode, level?: string,
/**
 * What searches for the level; as configured if left out.
 */
engine?: EngineName,
/**
 * How long the engine may think about a move, in milliseconds (100 to 600000); the level's
 * own time if left out. It puts no clock on the person.
 */
moveMs?: number,
/**
 * Which sides a person plays; Black in Play and both in Analyse if left out.
 */
people?: People,
/**
 * No clock if left out.
 */
timeControl?: TimeControlWish,
/**
 * Where to begin: 64 squares, a space and the side to move; for chess a FEN, or `chess960:` and
 * a number from 0 to 959.
 */
position?: string,
/**
 * Moves to make first, such as `f5d6c3` or `e4 e5 Nf3`.
 */
moves?: string,
/**
 * A place in another game: the moves up to there come along, and that game stays as it is.
 */
from?: From,
/**
 * A game from an import: its `id` from `ImportResult` …
 */
import?: string,
/**
 * … and which of its games, counted from 0; 0 if left out.
 */
game?: number,
/**
 * The session that the asker shows until now: its clock and its engine stop, and it is deleted
 * if nothing was done in it. Without it, no other session is touched.
 */
leaves?: string, };

/**
 * Changes to a session; what is left out stays.
 */
export type SessionChange = {
/**
 * What it is for.
 */
mode?: Mode, level?: string,
/**
 * Which sides a person plays.
 */
people?: People,
/**
 * Show or hide values in Play.
 */
showValues?: boolean,
/**
 * A title; an empty one takes it away.
 */
title?: string,
/**
 * Whether the coach may ask about moves that cost much.
 */
asks?: boolean, };

/**
 * Moves to keep as a variation, from a node on; passes may be left out.
 */
export type LineWish = { moves: Array<string>, };

/**
 * A position that was set up by hand.
 */
export type PositionWish = {
/**
 * 64 squares, a space and the side to move.
 */
position: string, };

/**
 * What can be done with it.
 */
export type PositionCheck = {
/**
 * Why nobody can play on from it; `null` if somebody can.
 */
problem: string | null,
/**
 * What is odd about it, in sentences.
 */
notes: Array<string>,
/**
 * The position as it is read.
 */
position: string, };

/**
 * A move to make.
 */
export type MoveWish = {
/**
 * Such as `f5`, or `ps` for a pass.
 */
move: string,
/**
 * Where; the current node if left out. A move that is already there is followed, a new one
 * becomes a variation.
 */
node?: number, };

/**
 * One step, or all of them.
 */
export type Step = "first" | "previous" | "next" | "last";

/**
 * Where to go: a node or a step.
 */
export type GotoWish = { "node": number } | { "step": Step };

/**
 * A comment for a node; an empty one takes it away.
 */
export type CommentWish = { text: string, };

/**
 * Signs for a node; none take them away.
 */
export type GlyphsWish = { glyphs: Array<Glyph>, };

/**
 * How far to promote a variation.
 */
export type PromoteWish = {
/**
 * All the way, so that it is the main line; else before its elder sibling.
 */
toMain?: boolean, };

/**
 * What went wrong, for programs.
 */
export type ErrorCode = "malformed" | "not_logged_in" | "wrong_host" | "wrong_origin" | "not_found" | "no_such_session" | "no_such_node" | "no_such_job" | "no_such_tournament" | "no_such_import" | "no_such_game" | "method_not_allowed" | "conflict" | "too_slow" | "too_large" | "wrong_content_type" | "illegal_move" | "invalid" | "unreadable" | "too_many_requests" | "internal" | "not_saved" | "no_space" | "no_library" | "unavailable";

/**
 * Why a request was refused.
 */
export type ErrorBody = { code: ErrorCode,
/**
 * For people: a sentence that says what would be right.
 */
message: string, };

/**
 * What goes into the address of an import; the body is the file or the text itself.
 */
export type ImportWish = {
/**
 * The file's name, if it has one: its ending may tell the format.
 */
name?: string, };

/**
 * A game that was read.
 */
export type ImportedGame = {
/**
 * Its number in the import, counted from 0: `game` of `NewGame`.
 */
game: number,
/**
 * One line: players, event, date, result, or the first moves.
 */
title: string, black: string | null, white: string | null, event: string | null,
/**
 * As the file has it.
 */
date: string | null,
/**
 * Such as `34–30` or `1–0`.
 */
result: string | null, plies: number, kind: GameKind, };

/**
 * Something that could not be read. The other games are not concerned.
 */
export type ImportProblem = {
/**
 * The number of the game or position in the file, counted from 1.
 */
record: number,
/**
 * The line, counted from 1; `null` in files that have none.
 */
line: number | null,
/**
 * The column, counted from 1, where it is known.
 */
column: number | null,
/**
 * The byte, counted from 0, in files without lines.
 */
byte: number | null,
/**
 * What is wrong, and what was expected.
 */
message: string, };

/**
 * What an import found. Open a game with `POST /api/sessions` and `{import, game}`.
 */
export type ImportResult = {
/**
 * The import's name. The last few imports are kept until the program ends.
 */
id: string,
/**
 * What it was taken for, in words: "GGF", "transcript", "WTHOR games" …
 */
format: string,
/**
 * How many games were read.
 */
total: number,
/**
 * The first thousand of them.
 */
games: Array<ImportedGame>,
/**
 * How many could not be read.
 */
nProblems: number,
/**
 * The first hundred problems.
 */
problems: Array<ImportProblem>,
/**
 * What else there is to say: a file of names has no games, and is kept for those to come.
 */
note: string | null, };

/**
 * A notation to write.
 */
export type ExportFormat = "transcript" | "ggf" | "board" | "obf" | "pgn" | "fen" | "epd";

/**
 * The text of an export and what its format could not hold.
 */
export type Exported = { format: ExportFormat,
/**
 * A name for a file.
 */
fileName: string, text: string, };

/**
 * How a list is sorted.
 */
export type GamesOrder = "newest" | "oldest" | "strongest" | "added";

/**
 * A game of the database in a list.
 */
export type GameRow = { id: number, kind: GameKind,
/**
 * Empty where it is not known, as `white` and `event`.
 */
black: string, white: string, event: string,
/**
 * `1996.05.17`, `1996.05`, `1996`, or empty.
 */
date: string,
/**
 * `38–26` in Othello, `1-0` in chess; `null` if it is not known.
 */
result: string | null, blackElo: number | null, whiteElo: number | null,
/**
 * Moves, passes not counted.
 */
plies: number,
/**
 * The name of the opening, in Othello.
 */
opening: string | null,
/**
 * The words that the user gave to it.
 */
tags: Array<string>, hasNote: boolean, };

/**
 * A page of a list.
 */
export type GamesFound = {
/**
 * How many games there are on all pages.
 */
total: number, games: Array<GameRow>,
/**
 * How long the search took, in microseconds.
 */
tookUs: number, };

/**
 * A game of the database, whole.
 */
export type GameDetails = { game: GameRow,
/**
 * What else its file said: name and value.
 */
facts: Array<[string, string]>,
/**
 * The main line, as players write it.
 */
moves: Array<string>,
/**
 * Markdown of the user; empty if there is none.
 */
note: string, };

/**
 * Results of the user's own games.
 */
export type OwnTally = { games: number, won: number, drawn: number, lost: number, };

/**
 * What an engine found, for the side to move.
 */
export type MoveValue = {
/**
 * Hundredths of a disc, or of a pawn.
 */
score: number,
/**
 * Moves to a mate, negative for the side that is mated; `null` if none is known.
 */
mate: number | null,
/**
 * `d24`, or that it is solved, in words.
 */
reach: string, source: string, };

/**
 * A move of a position that was played, is in the book, or was valued: how the games ended, and
 * what is known about it.
 */
export type ExploredMove = {
/**
 * As players write it; `null` where games ended.
 */
move: string | null,
/**
 * Where it was played, in Othello.
 */
square: number | null,
/**
 * As it is sent to the server; `null` where games ended.
 */
wire: string | null, games: number,
/**
 * Of all games, from 0 to 1.
 */
share: number, black: number, draws: number, white: number,
/**
 * What an engine found, if anything is known.
 */
value: MoveValue | null,
/**
 * Its share of the book's weights, from 0 to 1; `null` if the book does not have it.
 */
book: number | null, own: OwnTally,
/**
 * A sentence about a move that is often played and bad.
 */
warning: string | null, };

/**
 * What an engine found about a position.
 */
export type ExploredAnalysis = {
/**
 * For the side to move.
 */
value: MoveValue,
/**
 * Its line, as players write moves.
 */
line: Array<string>, };

/**
 * The opening book of a game.
 */
export type ExploredBook = {
/**
 * What it is called; `null` if there is none.
 */
name: string | null,
/**
 * Why it cannot be used.
 */
problem: string | null, };

/**
 * Where games are, if a position has none.
 */
export type WayBack = {
/**
 * So many moves back …
 */
moves: number,
/**
 * … there are so many games.
 */
games: number, };

/**
 * What games did in a position.
 */
export type ExploredPosition = { kind: GameKind,
/**
 * The position as text: a board and the side to move, or a FEN. After the pass that is due.
 */
text: string,
/**
 * The same to draw; `null` for a game that the page has no board for.
 */
position: PositionView | null, side: Side, legal: Array<LegalMove>,
/**
 * The moves that lead here, as players write them.
 */
path: Array<string>,
/**
 * Where the last of them was played, in Othello.
 */
last: number | null,
/**
 * The opening that this is, or comes from.
 */
opening: string | null, games: number, black: number, draws: number, white: number,
/**
 * The most frequent first.
 */
moves: Array<ExploredMove>, newest: Array<GameRow>,
/**
 * What engines found about the position itself, each engine once.
 */
analyses: Array<ExploredAnalysis>,
/**
 * The book that speaks about the game's openings.
 */
book: ExploredBook,
/**
 * Of the best players, as far as ratings are known.
 */
strongest: Array<GameRow>,
/**
 * `null` unless the user has said under which names he or she plays.
 */
own: OwnTally | null,
/**
 * Markdown of the user; empty if there is none.
 */
note: string, back: WayBack | null,
/**
 * How long it took, in microseconds.
 */
tookUs: number, };

/**
 * A query under a name.
 */
export type SavedSearch = { name: string, query: string, };

/**
 * What there is in the database, and whether it can be used.
 */
export type LibraryState = {
/**
 * Why it cannot be used; `null` if it can.
 */
problem: string | null, games: number, notes: number, bytes: number,
/**
 * The names under which the user plays.
 */
names: Array<string>, searches: Array<SavedSearch>, fetch: FetchState, };

/**
 * A record of a file that could not be read.
 */
export type RecordProblem = { file: string,
/**
 * The number of the game in its file, counted from 1; `null` if the whole file cannot be read.
 */
record: number | null,
/**
 * Counted from 1; `null` in files that are no text.
 */
line: number | null,
/**
 * The column, counted from 1, where it is known.
 */
column: number | null,
/**
 * What was found and what would be right.
 */
message: string, };

/**
 * A file whose games go into the database.
 */
export type FileImport = {
/**
 * Counts the bytes of the file.
 */
job: Job, name: string, bytes: number,
/**
 * Games that were read, good ones and bad ones.
 */
read: number, new: number,
/**
 * Games that were there already.
 */
known: number, nProblems: number,
/**
 * The first thousand. Each of these games was left out; the others went in.
 */
problems: Array<RecordProblem>,
/**
 * How long it has worked.
 */
workedMs: number, };

/**
 * Where games are fetched from.
 */
export type FetchSource = "lichessPlayer" | "lichessRound" | "lichessStudy" | "chessComPlayer";

/**
 * Whether games can be fetched from Lichess and Chess.com.
 */
export type FetchState = {
/**
 * Whether the user has allowed requests.
 */
mayFetch: boolean,
/**
 * Whether a token for Lichess is kept. The token itself is never told.
 */
hasLichessToken: boolean, };

/**
 * Which games to fetch, from where, and how many at most.
 */
export type FetchWish = { source: FetchSource,
/**
 * A name, a round's or study's letters, or the address of a page.
 */
name: string,
/**
 * Only so many of the newest games of a player of Lichess.
 */
most?: number,
/**
 * Only games of a player from this day on: `2024-03-15` or `2024-03`.
 */
since?: string,
/**
 * Everything again, also what was fetched before.
 */
anew?: boolean,
/**
 * Stay with a round until all of its games have a result.
 */
follow?: boolean, };

/**
 * A token for Lichess to keep; `null` forgets the one that is kept.
 */
export type TokenWish = { token: string | null, };

/**
 * What became of a file that was handed over.
 */
export type FileReceived = {
/**
 * The job that reads its games; `null` for a file of names.
 */
job: Job | null,
/**
 * What else there is to say, as a sentence.
 */
note: string | null, };

/**
 * A stored game is opened in Review.
 */
export type OpenWish = {
/**
 * The session that the window leaves.
 */
leaves?: string, };

/**
 * Some games of the database, by their numbers.
 */
export type ChosenGames = {
/**
 * At most 5,000 numbers of games.
 */
games: Array<number>, };

/**
 * How many games were deleted.
 */
export type DeletedGames = { deleted: number, };

/**
 * A word is given to games, or taken away.
 */
export type TagWish = {
/**
 * At most 5,000 numbers of games.
 */
games: Array<number>,
/**
 * At most 60 characters.
 */
tag: string, isSet: boolean, };

/**
 * The note on a game; an empty text removes it.
 */
export type NoteWish = {
/**
 * Markdown, at most 20,000 characters.
 */
text: string, };

/**
 * The note on a position; an empty text removes it.
 */
export type PositionNote = {
/**
 * A board and the side to move, or a FEN.
 */
position: string,
/**
 * Markdown, at most 20,000 characters.
 */
text: string, };

/**
 * A note that has the words that were looked for.
 */
export type FoundNote = {
/**
 * The position that it is about; `null` for a note on a game.
 */
position: string | null,
/**
 * The game that it is about; `null` for a note on a position.
 */
game: GameRow | null, text: string, };

/**
 * A query to save.
 */
export type SearchWish = {
/**
 * At most 2,000 characters.
 */
query: string, };

/**
 * The names under which the user plays.
 */
export type OwnNames = {
/**
 * At most 50 of them.
 */
names: Array<string>, };

/**
 * What a selection of games is written as.
 */
export type GamesFormat = "pgn" | "ggf" | "transcript" | "html";

/**
 * A part of reviewed games: a month, a name of mistakes, an opening, a phase.
 */
export type InsightBar = {
/**
 * `2024.05`, `corner opened`, `Tiger`, `endgame`; empty for what has no name.
 */
name: string,
/**
 * Games that have something of it.
 */
games: number,
/**
 * Moves that were looked at; 0 for a name of mistakes.
 */
moves: number, mistakes: number,
/**
 * What all moves cost together, or those mistakes, in hundredths of discs.
 */
loss: number,
/**
 * From 0 to 100; `null` for a name of mistakes.
 */
accuracy: number | null,
/**
 * The words that, added to the query, find its games.
 */
query: string | null, };

/**
 * The accuracy of one game.
 */
export type InsightPoint = { game: number,
/**
 * `1996.05.17`, `1996.05`, `1996`, or empty.
 */
date: string,
/**
 * From 0 to 100.
 */
accuracy: number, };

/**
 * What the reviews of many games show together.
 */
export type Insights = {
/**
 * How many games were reviewed …
 */
games: number,
/**
 * … of so many.
 */
total: number,
/**
 * From 0 to 100; `null` before the first review.
 */
accuracy: number | null,
/**
 * In the order of dates.
 */
overTime: Array<InsightPoint>, months: Array<InsightBar>,
/**
 * Mistakes by name, the dearest first.
 */
classes: Array<InsightBar>,
/**
 * The most frequent first.
 */
openings: Array<InsightBar>,
/**
 * In the order of a game.
 */
phases: Array<InsightBar>, };

/**
 * Games to review as one job: the newest that have no review yet.
 */
export type ReviewManyWish = {
/**
 * Which games, as in a list.
 */
query: string,
/**
 * At most so many, up to 1,000.
 */
most: number, };

/**
 * An engine that the user has.
 */
export type EngineEntry = {
/**
 * Its name in addresses.
 */
id: string, title: string, game: GameKind,
/**
 * `UCI`, `GTP` or `NBoard`; empty if its file cannot be read.
 */
protocol: string, path: string,
/**
 * Whether we downloaded it; else it is a program of the user's.
 */
isInstalled: boolean, isRunning: boolean,
/**
 * Why it cannot be used, or what went wrong last: a sentence.
 */
trouble: string | null,
/**
 * Files of weights that can be installed for it.
 */
networks: Array<EngineNetwork>, };

/**
 * An engine that a list describes.
 */
export type KnownEngine = { id: string, name: string, game: GameKind, description: string, homepage: string,
/**
 * The build that fits this computer; `null` if there is no checked one.
 */
build: string | null,
/**
 * Bytes of the download, if that is known.
 */
bytes: number | null, };

/**
 * A file of weights that a list describes for an engine.
 */
export type EngineNetwork = { name: string, description: string,
/**
 * Bytes of the download, if that is known.
 */
bytes: number | null,
/**
 * Whether it is there and the engine uses it.
 */
isInUse: boolean, };

/**
 * A button among an engine's settings, to press.
 */
export type PressWish = { button: string, };

/**
 * A program on this computer that was not added yet.
 */
export type FoundEngine = {
/**
 * The engine that it seems to be.
 */
id: string, path: string, };

/**
 * All engines that there are, can be added, or can be installed.
 */
export type Engines = { added: Array<EngineEntry>, known: Array<KnownEngine>, found: Array<FoundEngine>,
/**
 * Whether the user has allowed downloads.
 */
mayDownload: boolean,
/**
 * What this computer is, for downloads.
 */
platform: string,
/**
 * Lists of engines that cannot be used, and why.
 */
problems: Array<string>, };

/**
 * A program to add.
 */
export type AddEngineWish = {
/**
 * What the user wants to call it.
 */
name: string, path: string,
/**
 * `uci`, `gtp` or `nboard`; the engine is asked if left out.
 */
protocol?: string,
/**
 * What it is started with; as its description says if left out.
 */
args?: Array<string>, };

/**
 * Whether downloads that the user asks for are allowed.
 */
export type ConsentWish = { allowed: boolean, };

/**
 * What a setting can be.
 */
export type OptionKind = { "kind": "check" } | { "kind": "spin", min: number, max: number, } | { "kind": "combo", choices: Array<string>, } | { "kind": "button" } | { "kind": "text" };

/**
 * A setting of an engine, as it names it.
 */
export type EngineOption = { name: string, option: OptionKind,
/**
 * What the engine is started with; `null` for a button.
 */
value: string | null,
/**
 * What the engine itself would take.
 */
usual: string | null, isChanged: boolean,
/**
 * What it is for, if somebody wrote it down; else empty.
 */
description: string, };

/**
 * The settings of an engine.
 */
export type EngineOptions = { id: string, title: string, author: string | null,
/**
 * Settings that go together, by name.
 */
profiles: Array<string>, profile: string | null, options: Array<EngineOption>, };

/**
 * Changes of settings; what is left out stays.
 */
export type EngineOptionsChange = {
/**
 * Forget all earlier changes.
 */
resetAll?: boolean,
/**
 * Settings that are again what the engine says.
 */
reset?: Array<string>,
/**
 * Settings that go together; an empty name is no profile.
 */
profile?: string, set?: Array<[string, string]>, };

/**
 * What a trial of an engine showed.
 */
export type EngineTrial = { name: string | null,
/**
 * Until it was ready.
 */
startMs: number,
/**
 * What it would play from the start.
 */
choice: string | null,
/**
 * From the word to stop to its answer; `null` if its protocol has no such word.
 */
stopMs: number | null, };

/**
 * The last lines of a conversation, `> ` told and `< ` heard.
 */
export type EngineLog = { lines: Array<string>, };

/**
 * How a whole game is valued by an engine.
 */
export type ValueGameWish = {
/**
 * A foreign engine by its name on the shelf.
 */
engine: string,
/**
 * How long it looks at each position, in milliseconds (20 to 60000); half a second if left out.
 */
moveMs?: number, };

/**
 * The plan of a tournament: who meets whom.
 */
export type TournamentFormat = "round-robin" | "double-round-robin" | "gauntlet" | "swiss" | "knockout";

/**
 * Somebody who takes part: an engine of the user's, or our own.
 */
export type TournamentEngine = {
/**
 * What it is called in the tables.
 */
name: string,
/**
 * An engine of the user's, by its id.
 */
engine?: string,
/**
 * Our own engine: which level.
 */
level?: string,
/**
 * Time of its own, such as `10+0.1`.
 */
time?: string,
/**
 * Its searches end at this depth.
 */
depth?: number,
/**
 * Its searches end after so many positions.
 */
nodes?: number, };

/**
 * Where games begin: a file of openings, and how it is used.
 */
export type TournamentOpenings = {
/**
 * A file on the computer that Kibitz runs on.
 */
file: string,
/**
 * Shuffled by the seed, else in the order of the file.
 */
random: boolean,
/**
 * No more moves of each opening than this, both sides counted.
 */
plies?: number, };

/**
 * When the engines' own values lose or draw a game, in hundredths.
 */
export type TournamentThreshold = { score: number,
/**
 * So many moves in a row.
 */
moves: number,
/**
 * Losing: whether the opponent must have thought the same.
 */
twoSided: boolean,
/**
 * Drawing: not before this move.
 */
fromMove: number, };

/**
 * Stop as soon as it is clear whether the first engine is better than the second.
 */
export type TournamentTest = { elo0: number, elo1: number, alpha: number, beta: number,
/**
 * `logistic`, `normalised` or `bayesian`.
 */
model: string, };

/**
 * Tables of chess endings.
 */
export type TournamentTables = {
/**
 * A folder on the computer that Kibitz runs on.
 */
folder: string,
/**
 * A win that takes more than fifty moves is a win all the same.
 */
ignoreFiftyMoves: boolean, };

/**
 * A tournament to be played.
 */
export type TournamentWish = { name: string, game: GameKind, format: TournamentFormat,
/**
 * How often everybody meets everybody; rounds of a Swiss.
 */
rounds: number,
/**
 * Games whenever two meet from an opening: 2 with colours reversed, or 1.
 */
games: number,
/**
 * Gauntlet: how many of the first engines meet all the others.
 */
seeds: number, seed: number,
/**
 * Games at the same time.
 */
concurrency: number,
/**
 * Everybody's time, such as `10+0.1`.
 */
time?: string,
/**
 * How much later than its flag a move may come.
 */
marginMs: number,
/**
 * A longer game is drawn.
 */
maxMoves?: number,
/**
 * Othello: from so many empty squares on our solver ends games.
 */
solveEmpties: number, ponder: boolean,
/**
 * Engines are started anew for every game.
 */
restart: boolean,
/**
 * Each game keeps to a core of its own.
 */
affinity: boolean, openings?: TournamentOpenings, resign?: TournamentThreshold, draw?: TournamentThreshold, tables?: TournamentTables, sprt?: TournamentTest, engines: Array<TournamentEngine>, };

/**
 * Where a tournament stands.
 */
export type TournamentState = "running" | "paused" | "finishing" | "stopped" | "finished" | "decided" | "elsewhere";

/**
 * A tournament in a list.
 */
export type TournamentSummary = { id: number, name: string, game: GameKind, state: TournamentState,
/**
 * Finished pairs, of so many, and the games in them.
 */
pairs: number, pairsAsked: number, games: number, engines: Array<string>,
/**
 * What it is, in words: game, plan, time, openings.
 */
description: string,
/**
 * Why it cannot be read or was left: a sentence.
 */
problem: string | null, };

/**
 * A line of the standings.
 */
export type TournamentRow = {
/**
 * Its place among the engines.
 */
player: number, games: number, points: number, wins: number, draws: number, losses: number,
/**
 * Above the mean of all, with half of the 95 % interval.
 */
elo: number | null, eloError: number | null,
/**
 * How likely it is that it is better than the next one, 0 to 1.
 */
aheadOfNext: number | null,
/**
 * Games lost by a crash, an illegal move, silence or the clock.
 */
faults: number,
/**
 * Share of points with the first move and without, 0 to 1.
 */
firstShare: number | null, secondShare: number | null,
/**
 * Mean and longest thinking and latency, in milliseconds.
 */
meanMs: number, longestMs: number, meanLatencyMs: number, longestLatencyMs: number, };

/**
 * Points of the row's player against the column's.
 */
export type TournamentCell = { points: number, games: number,
/**
 * How likely it is that the row's player is better, 0 to 1.
 */
superiority: number | null, };

/**
 * A curve to be drawn: places on the abscissa, values, and half of their 95 % intervals.
 */
export type TournamentCurve = { pairs: Array<number>, values: Array<number>, errors: Array<number | null>, };

/**
 * Where the sequential test stands.
 */
export type TournamentVerdict = { elo0: number, elo1: number, alpha: number, beta: number, model: string, llr: number, lower: number, upper: number,
/**
 * `null` as long as it is open; then whether the first engine is better.
 */
decided: boolean | null,
/**
 * Pairs by points of the first engine: 0, ½, 1, 1½, 2.
 */
pairs: [number, number, number, number, number], elo: number | null, eloError: number | null, };

/**
 * Something that a person should know about.
 */
export type TournamentIncident = {
/**
 * When it happened, in seconds since 1970.
 */
seconds: number,
/**
 * The pair and the game in it, counted from 0; `null` if it is about the tournament.
 */
pair: number | null, game: number | null, text: string,
/**
 * Whether an engine did something that none should.
 */
isFault: boolean, };

/**
 * How often games ended for a reason.
 */
export type TournamentEnd = { reason: string, games: number, };

/**
 * How an opening went for the side with the first move.
 */
export type TournamentOpening = {
/**
 * Counted from 1, in the order of the file.
 */
opening: number, wins: number, draws: number, losses: number, };

/**
 * A tournament as it stands.
 */
export type TournamentView = { summary: TournamentSummary,
/**
 * The work that plays it, while it is played.
 */
job: Job | null, standings: Array<TournamentRow>,
/**
 * By players in the order of the engines.
 */
crosstable: Array<Array<TournamentCell>>, test: TournamentVerdict | null, llrCurve: TournamentCurve,
/**
 * The first engine against the second.
 */
eloCurve: TournamentCurve,
/**
 * With more than two engines: each of them.
 */
ratingCurves: Array<TournamentCurve>,
/**
 * What happened, the newest first.
 */
incidents: Array<TournamentIncident>, ends: Array<TournamentEnd>,
/**
 * Openings that were played most, at most fifty.
 */
openings: Array<TournamentOpening>,
/**
 * What the first move is worth.
 */
firstMoveElo: number | null, firstMoveError: number | null, drawShare: number | null,
/**
 * Who has won a knockout.
 */
champion: number | null, };

/**
 * A game under way.
 */
export type TournamentBoard = {
/**
 * Which of the games that are played at the same time.
 */
worker: number, pair: number, game: number,
/**
 * The names of both players.
 */
black: string, white: string, position: PositionView,
/**
 * Where the last move ended, 0 to 63.
 */
last: number | null, plies: number,
/**
 * `null` without a limit.
 */
blackMs: number | null, whiteMs: number | null,
/**
 * What each found last.
 */
blackThinks: Report | null, whiteThinks: Report | null, };

/**
 * The boards of a tournament, and how many pairs are finished: when that changes, the rest is worth
 * another look.
 */
export type TournamentBoards = { pairs: number, boards: Array<TournamentBoard>, };

/**
 * A finished game in a list.
 */
export type TournamentGame = { pair: number, game: number, round: number,
/**
 * Which of the file's openings, counted from 1.
 */
opening: number | null, black: string, white: string,
/**
 * Who has won; `null` is a draw.
 */
winner: Side | null,
/**
 * Discs of Black more than of White, where they were counted.
 */
discs: number | null, reason: string, plies: number, };

/**
 * A part of the finished games, the newest first.
 */
export type TournamentGames = { total: number, games: Array<TournamentGame>, };

/**
 * How a tournament is to end.
 */
export type TournamentStop = {
/**
 * Gives up the games under way; they are played again on resume.
 */
atOnce: boolean, };

/**
 * What a tournament is written as.
 */
export type TournamentExport = "pgn" | "ggf" | "transcript" | "csv" | "json" | "html";

/**
 * A number that is tuned, and how it went.
 */
export type TunedParameter = { name: string, start: number, min: number, max: number, value: number,
/**
 * By steps in the place of pairs.
 */
curve: TournamentCurve, };

/**
 * A tuning of an engine's parameters.
 */
export type TuningView = { id: number, name: string, game: GameKind,
/**
 * Finished steps, of so many.
 */
done: number, steps: number, isRunning: boolean, parameters: Array<TunedParameter>, };

/**
 * Colours of the whole page.
 */
export type Theme = "system" | "dark" | "light" | "highContrast";

/**
 * What can be laid over the board.
 */
export type OverlayName = "mobility" | "parity" | "stability" | "corners" | "frontier";

/**
 * How the page looks and works.
 */
export type UiSettings = { theme: Theme,
/**
 * No animations, whatever the system says.
 */
reducedMotion: boolean,
/**
 * Whether Review asks for a better move before it shows one.
 */
tryFirst: boolean,
/**
 * Which overlays the rail offers.
 */
overlays: Array<OverlayName>,
/**
 * Letters by what they do, such as `hint` → `h`; only those that were changed.
 */
keys: { [key in string]: string }, };

/**
 * The evaluations that the engine can search with.
 */
export type Evaluator = "pattern" | "classic";

/**
 * Which opening book: the shipped one (`true`), none (`false`), or a file.
 */
export type Book = boolean | string;

/**
 * The ways of searching that the engine offers.
 */
export type EngineName = "alphabeta" | "mcts";

/**
 * How readily late moves are searched less deep at first.
 */
export type LateMoves = "conservative" | "normal" | "aggressive";

/**
 * How the engine works.
 */
export type EngineSettings = {
/**
 * The table of a search, in megabytes.
 */
ttMb: number,
/**
 * Search threads; 0 is one for each core but one.
 */
threads: number,
/**
 * With so many empty squares or fewer, analyses are exact.
 */
endgameExactEmpties: number,
/**
 * What searches for levels and analyses.
 */
engine: EngineName, evaluator: Evaluator,
/**
 * A file of weights, from the home folder if not from the root; empty is the shipped ones.
 */
weights: string,
/**
 * Half of the first window of a search, in centidiscs.
 */
aspirationCp: number, lmr: LateMoves, book: Book,
/**
 * A Polyglot book that the explorer shows for chess; empty is none.
 */
chessBook: string, };

/**
 * What a new game is like.
 */
export type PlaySettings = { level: string,
/**
 * Which side a person plays.
 */
people: People,
/**
 * The clock; `null` is none.
 */
timeControl: TimeControlWish | null,
/**
 * Whether values are shown from the start.
 */
showValues: boolean,
/**
 * Whether a move that costs much is asked about, after the reply.
 */
blunderAlert: boolean,
/**
 * Whether it is asked about before it stands.
 */
askBefore: boolean, };

/**
 * Changes to what a new game is like.
 */
export type PlaySettingsChange = { level?: string,
/**
 * Which side a person plays.
 */
people?: People,
/**
 * The clock; 0 and 0 is none.
 */
timeControl?: TimeControlWish,
/**
 * Whether values are shown from the start.
 */
showValues?: boolean,
/**
 * Whether a move that costs much is asked about, after the reply.
 */
blunderAlert?: boolean,
/**
 * Whether it is asked about before it stands.
 */
askBefore?: boolean, };

/**
 * What the configuration file says.
 */
export type Settings = { ui: UiSettings, engine: EngineSettings, play: PlaySettings,
/**
 * Whether this is the first start: nobody has played here yet.
 */
isFirstLaunch: boolean,
/**
 * What is odd about the configuration file, in sentences.
 */
warnings: Array<string>, };

/**
 * Changes to the page's settings.
 */
export type UiSettingsChange = { theme?: Theme, reducedMotion?: boolean,
/**
 * Whether Review asks for a better move before it shows one.
 */
tryFirst?: boolean,
/**
 * Which overlays the rail offers.
 */
overlays?: Array<OverlayName>, keys?: { [key in string]: string }, };

/**
 * Changes to the engine's settings.
 */
export type EngineSettingsChange = {
/**
 * Megabytes, 1 to 65536.
 */
ttMb?: number, threads?: number, endgameExactEmpties?: number,
/**
 * What searches for levels and analyses.
 */
engine?: EngineName,
/**
 * What values positions. Weights of the other evaluator do not fit: change both together.
 */
evaluator?: Evaluator,
/**
 * A file of weights; it is read before anything is changed, and refused if it does not fit.
 */
weights?: string, aspirationCp?: number, lmr?: LateMoves,
/**
 * A file is read before anything is changed, and refused if it has nothing to play.
 */
book?: Book,
/**
 * A Polyglot book; it is opened before anything is changed, and refused if it is none.
 */
chessBook?: string, };

/**
 * Changes to the settings; what is left out stays.
 */
export type SettingsChange = { ui?: UiSettingsChange, engine?: EngineSettingsChange, play?: PlaySettingsChange,
/**
 * Somebody has seen the welcome: this is not the first launch any more.
 */
welcomed?: boolean, };

/**
 * A level of play.
 */
export type Level = {
/**
 * Such as `elo_1400`.
 */
name: string,
/**
 * Which list it belongs to.
 */
kind: LevelKind,
/**
 * What to show for it.
 */
title: string,
/**
 * A sentence about how it plays and what makes it weak.
 */
description: string,
/**
 * What it is worth; `null` if that was not measured.
 */
worth: Worth | null,
/**
 * Plies that it looks ahead.
 */
depth: number | null,
/**
 * Milliseconds that it takes at most.
 */
timeMs: number,
/**
 * Whether it is the one for new games.
 */
isDefault: boolean, };

/**
 * The lists of levels.
 */
export type LevelKind = "opponent" | "fixed" | "bot";

/**
 * A strength with the games that it was measured by.
 */
export type Worth = {
/**
 * Elo above a player who moves at random.
 */
rating: number,
/**
 * The ends of the 95 % confidence interval.
 */
low: number, high: number, games: number, };

/**
 * What is known of the user.
 */
export type You = {
/**
 * By the latest games against levels; `null` if there are too few.
 */
worth: Worth | null, };

/**
 * The weights in use.
 */
export type WeightsInUse = {
/**
 * As reports name them: `pattern:shipped`, or `classic:mine.json#0123abcd`.
 */
name: string,
/**
 * What they are for.
 */
evaluator: Evaluator,
/**
 * Their file; `null` for those that the program comes with.
 */
file: string | null,
/**
 * Eight digits that tell the file's contents from others'.
 */
checksum: string | null, };

/**
 * What this program is.
 */
export type About = {
/**
 * `Kibitz`.
 */
name: string, version: string,
/**
 * `GPL-3.0-or-later`.
 */
license: string,
/**
 * Where it keeps its files.
 */
home: string,
/**
 * What values positions now.
 */
weights: WeightsInUse, };

/**
 * One thing that the self-test tried.
 */
export type SelfTestCheck = {
/**
 * `rules`, `solver`, `weights` or `disk`.
 */
name: string,
/**
 * Whether it went well.
 */
ok: boolean,
/**
 * What was found, or what is wrong and what to do about it.
 */
text: string, };

/**
 * Whether the program works on this machine.
 */
export type SelfTest = {
/**
 * Whether everything went well.
 */
ok: boolean, checks: Array<SelfTestCheck>, };

/**
 * Whether the server answers.
 */
export type Health = { ok: boolean, };

/**
 * What a job is about.
 */
export type JobSubject = { "kind": "review", session: string, } | { "kind": "import",
/**
 * The file's name, if it came with one.
 */
name: string | null, } | { "kind": "reviews", games: number, } | { "kind": "collect", name: string, } | { "kind": "fetch", name: string, } | { "kind": "install", engine: string,
/**
 * What it is called.
 */
name: string, } | { "kind": "tournament", id: number,
/**
 * What it is called.
 */
name: string, };

/**
 * Where a job stands.
 */
export type JobState = "waiting" | "running" | "paused" | "finished" | "cancelled" | "failed";

/**
 * Work that takes a while.
 */
export type Job = { id: number, subject: JobSubject, state: JobState, done: number,
/**
 * … of so many.
 */
total: number, message: string,
/**
 * How long it will go on at the pace so far; `null` if that is not known.
 */
remainingMs: number | null,
/**
 * Whether it can be paused.
 */
canPause: boolean, };

/**
 * Where the engine's thinking stands.
 */
export type ThinkingState = "running" | "finished" | "stopped" | "failed";

/**
 * The engine choosing its move. Without scores as long as those are hidden.
 */
export type Thinking = { session: string,
/**
 * The position it thinks about.
 */
node: number, state: ThinkingState, level: string,
/**
 * What it has found, where values may be seen.
 */
report: Report | null, };

/**
 * How much a notice matters.
 */
export type NoticeLevel = "info" | "warning" | "error";

/**
 * Something to tell the user.
 */
export type Notice = {
/**
 * How much it matters.
 */
level: NoticeLevel, message: string, };

/**
 * One message of the event stream. A new stream begins with the settings, all jobs and the
 * current session as they are.
 */
export type ServerEvent = { "type": "session", "data": SessionView } | { "type": "patch", "data": SessionPatch } | { "type": "current", "data": { session: string, } } | { "type": "deleted", "data": { session: string, } } | { "type": "analysis", "data": AnalysisState } | { "type": "thinking", "data": Thinking } | { "type": "clock", "data": { session: string, clock: Clock, } } | { "type": "job", "data": Job } | { "type": "review", "data": Review } | { "type": "settings", "data": Settings } | { "type": "engines" } | { "type": "tournaments" } | { "type": "values" } | { "type": "notice", "data": Notice } | { "type": "bye" };
