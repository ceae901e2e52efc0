// Generated from protos/sengoku/v1; see protos/generate.py.
// Values that equal their default are left out of JSON, so every field is optional.
// 64-bit integers and times are strings, bytes are base64.

import { serverStream, unary } from "./connect";

export interface Status {
  code?: number;
  message?: string;
  details?: { '@type': string; [key: string]: unknown }[];
}

export type Role = "ROLE_UNSPECIFIED" | "ROLE_READ" | "ROLE_RUN" | "ROLE_ADMIN";

export type AnalysisState = "ANALYSIS_STATE_UNSPECIFIED" | "ANALYSIS_STATE_QUEUED" | "ANALYSIS_STATE_RUNNING" | "ANALYSIS_STATE_STALLED" | "ANALYSIS_STATE_SUCCEEDED" | "ANALYSIS_STATE_FAILED" | "ANALYSIS_STATE_CANCELLED";

export interface OpenMatch {
  matchId?: string;
  token?: string;
}

export interface AnalyseMatchRequest {
  open?: OpenMatch;
  data?: string;
  replay?: string;
  iterations?: number;
  luck?: number;
  openCards?: boolean;
  seat?: number;
  seed?: string;
  horizon?: number;
  requestId?: string;
}

export interface MatchAnalysis {
  name?: string;
  client?: string;
  requestId?: string;
  state?: AnalysisState;
  game?: string;
  decisionsDone?: string;
  decisions?: string;
  queuePosition?: number;
  obstacle?: string;
  createTime?: string;
  endTime?: string;
  error?: Status;
}

export interface AnalyseMatchResponse {
  analysis?: MatchAnalysis;
}

export interface GetAnalysisRequest {
  name?: string;
}

export interface GetAnalysisResponse {
  analysis?: MatchAnalysis;
}

export interface WatchAnalysisRequest {
  name?: string;
}

export interface WatchAnalysisResponse {
  analysis?: MatchAnalysis;
}

export interface ReadAnalysisRequest {
  name?: string;
}

export interface ReadAnalysisResponse {
  data?: string;
}

export interface CancelAnalysisRequest {
  name?: string;
}

export interface CancelAnalysisResponse {
  analysis?: MatchAnalysis;
}

export interface ResumeAnalysisRequest {
  name?: string;
}

export interface ResumeAnalysisResponse {
  analysis?: MatchAnalysis;
}

export interface DeleteAnalysisRequest {
  name?: string;
}

export type DeleteAnalysisResponse = Record<string, never>;

export type DataType = "DATA_TYPE_UNSPECIFIED" | "DATA_TYPE_FLOAT64" | "DATA_TYPE_UINT64" | "DATA_TYPE_UINT32" | "DATA_TYPE_INT32" | "DATA_TYPE_UINT8" | "DATA_TYPE_INT8" | "DATA_TYPE_BOOL" | "DATA_TYPE_FLOAT32";

export interface Tensor {
  dataType?: DataType;
  shape?: string[];
  content?: string;
}

export type BattlesKind = "BATTLES_KIND_UNSPECIFIED" | "BATTLES_KIND_SSP" | "BATTLES_KIND_SB" | "BATTLES_KIND_ASP" | "BATTLES_KIND_AB" | "BATTLES_KIND_AA" | "BATTLES_KIND_LI" | "BATTLES_KIND_SSPC" | "BATTLES_KIND_SBC" | "BATTLES_KIND_BG" | "BATTLES_KIND_LF" | "BATTLES_KIND_LM" | "BATTLES_KIND_AC";

export type BattlesTerrain = "BATTLES_TERRAIN_UNSPECIFIED" | "BATTLES_TERRAIN_FOREST" | "BATTLES_TERRAIN_HILL" | "BATTLES_TERRAIN_RIVER" | "BATTLES_TERRAIN_FORD" | "BATTLES_TERRAIN_SHALLOW" | "BATTLES_TERRAIN_BRIDGE" | "BATTLES_TERRAIN_BUILDINGS" | "BATTLES_TERRAIN_FIELDS" | "BATTLES_TERRAIN_GORGE" | "BATTLES_TERRAIN_TENT" | "BATTLES_TERRAIN_FENCE" | "BATTLES_TERRAIN_PALISADE" | "BATTLES_TERRAIN_CASTLE";

export type BattlesCard = "BATTLES_CARD_UNSPECIFIED" | "BATTLES_CARD_CAVALRY_CHARGE" | "BATTLES_CARD_FIRST_STRIKE" | "BATTLES_CARD_SHOGUN" | "BATTLES_CARD_ASHIGARU_ATTACK" | "BATTLES_CARD_COURAGEOUS_LEADER" | "BATTLES_CARD_TERROR_STRIKE" | "BATTLES_CARD_AMBUSH" | "BATTLES_CARD_DESPERATE_CHARGE" | "BATTLES_CARD_FIRE_ARROWS" | "BATTLES_CARD_COWARDS" | "BATTLES_CARD_COURAGE" | "BATTLES_CARD_VOLLEY_BY_RANKS" | "BATTLES_CARD_HEAD_COLLECTOR" | "BATTLES_CARD_FOLLOWERS_OF_BISHAMON" | "BATTLES_CARD_AIKIDO_TRAINING" | "BATTLES_CARD_PANIC" | "BATTLES_CARD_VENGEANCE" | "BATTLES_CARD_BULLETPROOF_ARMOR";

export interface BattlesPiece {
  kind?: BattlesKind;
  blocks?: number;
  leader?: BattlesKind;
  terrain?: BattlesTerrain;
  support?: boolean;
  adjacentLeader?: boolean;
  inspire?: boolean;
  ignoreFlags?: number;
  room?: number;
  seppuku?: boolean;
}

export interface BattlesStrike {
  attackers?: BattlesPiece[];
  defender?: BattlesPiece;
  ranged?: boolean;
  distance?: number;
  moved?: boolean;
  diceBonus?: number;
  attackerCards?: BattlesCard[];
  defenderCards?: BattlesCard[];
  noBattleBack?: boolean;
  against?: number;
  attackerHonor?: number;
  defenderHonor?: number;
  pool?: number;
}

export interface BattlesOdds {
  defenderEliminated?: number;
  defenderRetreats?: number;
  defenderLeaderEliminated?: number;
  attackerEliminated?: number;
  attackerRetreats?: number;
  attackerLeaderEliminated?: number;
  takesGround?: number;
  standardError?: number;
  samples?: string;
  hits?: number[];
  flags?: number[];
  honor?: number[];
  attackerBlocksLeft?: number[];
  defenderBlocksLeft?: number[];
  attackerBanners?: number[];
  defenderBanners?: number[];
  roll?: Tensor;
  outcomes?: Tensor;
  weights?: Tensor;
}

export interface BattlesOddsColumns {
  defenderEliminated?: Tensor;
  defenderRetreats?: Tensor;
  defenderLeaderEliminated?: Tensor;
  attackerEliminated?: Tensor;
  attackerRetreats?: Tensor;
  attackerLeaderEliminated?: Tensor;
  takesGround?: Tensor;
  standardError?: Tensor;
  samples?: Tensor;
  hitsMean?: Tensor;
  flagsMean?: Tensor;
  honorMean?: Tensor;
  attackerBannersMean?: Tensor;
  defenderBannersMean?: Tensor;
  attackerHonorMean?: Tensor;
  defenderHonorMean?: Tensor;
  attackerBlocksLeft?: Tensor;
  defenderBlocksLeft?: Tensor;
}

export interface Operation {
  name?: string;
  metadata?: { '@type': string; [key: string]: unknown };
  done?: boolean;
  error?: Status;
  response?: { '@type': string; [key: string]: unknown };
}

export interface GetOperationRequest {
  name?: string;
}

export interface ListOperationsRequest {
  name?: string;
  filter?: string;
  pageSize?: number;
  pageToken?: string;
  returnPartialSuccess?: boolean;
}

export interface ListOperationsResponse {
  operations?: Operation[];
  nextPageToken?: string;
  unreachable?: string[];
}

export interface CancelOperationRequest {
  name?: string;
}

export interface DeleteOperationRequest {
  name?: string;
}

export interface WaitOperationRequest {
  name?: string;
  timeout?: string;
}

export interface OperationInfo {
  responseType?: string;
  metadataType?: string;
}

export type RunState = "RUN_STATE_UNSPECIFIED" | "RUN_STATE_QUEUED" | "RUN_STATE_RUNNING" | "RUN_STATE_STALLED" | "RUN_STATE_SUCCEEDED" | "RUN_STATE_FAILED" | "RUN_STATE_CANCELLED";

export type RowFormat = "ROW_FORMAT_UNSPECIFIED" | "ROW_FORMAT_PACKED" | "ROW_FORMAT_ARROW" | "ROW_FORMAT_PARQUET";

export interface RunMatchesRequest {
  game?: string;
  seats?: number;
  bots?: string[];
  setupJson?: string;
  seed?: string;
  firstMatch?: string;
  matchCount?: string;
  threads?: number;
}

export interface RunMatchesResponse {
  rulesVersion?: number;
  bots?: string[];
  reasons?: string[];
  winner?: Tensor;
  byRule?: Tensor;
  ranks?: Tensor;
  rounds?: Tensor;
  decisions?: Tensor;
  reason?: Tensor;
  scores?: Tensor;
  digest?: Tensor;
}

export interface StartRunRequest {
  run?: RunMatchesRequest;
  requestId?: string;
}

export interface ResumeRunRequest {
  name?: string;
}

export interface ResumeRunResponse {
  operation?: Operation;
}

export interface StartRunResponse {
  summary?: RunSummary;
}

export interface RunSummary {
  rulesVersion?: number;
  bots?: string[];
  reasons?: string[];
  matchCount?: string;
  wins?: string[];
  draws?: string;
  noResults?: string;
  reasonCounts?: string[];
  roundsSum?: string;
  roundsSquareSum?: string;
  decisionsSum?: string;
  decisionsSquareSum?: string;
  digestSum?: string;
}

export interface RunMetadata {
  run?: RunMatchesRequest;
  client?: string;
  requestId?: string;
  state?: RunState;
  matchesDone?: string;
  matchesPerSecond?: number;
  decisionsPerSecond?: number;
  timeLeft?: string;
  createTime?: string;
  endTime?: string;
  summary?: RunSummary;
  queuePosition?: number;
  obstacle?: string;
}

export interface WatchRunRequest {
  name?: string;
}

export interface WatchRunResponse {
  operation?: Operation;
}

export interface ReadRunRequest {
  name?: string;
  format?: RowFormat;
  firstMatch?: string;
  matchCount?: string;
}

export interface ReadRunResponse {
  packed?: PackedRows;
  data?: string;
}

export interface PackedRows {
  firstMatch?: string;
  matchCount?: string;
  rows?: RunMatchesResponse;
}

export type TournamentState = "TOURNAMENT_STATE_UNSPECIFIED" | "TOURNAMENT_STATE_QUEUED" | "TOURNAMENT_STATE_RUNNING" | "TOURNAMENT_STATE_STALLED" | "TOURNAMENT_STATE_SUCCEEDED" | "TOURNAMENT_STATE_FAILED" | "TOURNAMENT_STATE_CANCELLED";

export interface Tournament {
  name?: string;
  title?: string;
  client?: string;
  requestId?: string;
  state?: TournamentState;
  error?: Status;
  format?: string;
  digest?: string;
  bots?: TournamentBot[];
  boards?: TournamentBoard[];
  round?: number;
  matchesDone?: string;
  matchesDue?: string;
  matchesPerSecond?: number;
  createTime?: string;
  endTime?: string;
  queuePosition?: number;
  obstacle?: string;
}

export interface TournamentBot {
  name?: string;
  bot?: string;
  player?: string;
}

export interface TournamentBoard {
  name?: string;
  game?: string;
  rulesVersion?: number;
  seats?: number;
  group?: number;
  blocks?: number;
  setupJson?: string;
  seed?: string;
}

export interface CreateTournamentRequest {
  specToml?: string;
  requestId?: string;
}

export interface CreateTournamentResponse {
  tournament?: Tournament;
}

export interface GetTournamentRequest {
  name?: string;
}

export interface GetTournamentResponse {
  tournament?: Tournament;
}

export interface ListTournamentsRequest {
  pageSize?: number;
  pageToken?: string;
}

export interface ListTournamentsResponse {
  tournaments?: Tournament[];
  nextPageToken?: string;
}

export interface WatchTournamentRequest {
  name?: string;
}

export interface WatchTournamentResponse {
  tournament?: Tournament;
  standings?: TournamentTable;
}

export interface GetStandingsRequest {
  name?: string;
  format?: string;
}

export interface GetStandingsResponse {
  tournament?: Tournament;
  tables?: TournamentTable[];
  text?: string;
}

export interface TournamentTable {
  name?: string;
  title?: string;
  headings?: string[];
  rows?: TournamentRow[];
  remark?: string;
}

export interface TournamentRow {
  cells?: TournamentCell[];
}

export interface TournamentCell {
  text?: string;
  whole?: string;
  number?: number;
}

export interface ListTournamentMatchesRequest {
  name?: string;
  pageSize?: number;
  pageToken?: string;
}

export interface ListTournamentMatchesResponse {
  matches?: TournamentMatch[];
  nextPageToken?: string;
}

export interface TournamentMatch {
  name?: string;
  board?: string;
  boardPlace?: number;
  bots?: string[];
  botPlaces?: number[];
  number?: string;
  arrangement?: number;
  ranks?: number[];
  byRule?: boolean;
  reason?: string;
  rounds?: number;
  decisions?: number;
  digest?: string;
  scores?: number[];
  faults?: TournamentFault[];
}

export interface TournamentFault {
  seat?: number;
  reason?: string;
  text?: string;
}

export interface GetTournamentReplayRequest {
  name?: string;
  match?: string;
}

export interface GetTournamentReplayResponse {
  replay?: string;
}

export interface CancelTournamentRequest {
  name?: string;
}

export interface CancelTournamentResponse {
  tournament?: Tournament;
}

export interface ResumeTournamentRequest {
  name?: string;
}

export interface ResumeTournamentResponse {
  tournament?: Tournament;
}

export interface DeleteTournamentRequest {
  name?: string;
}

export type DeleteTournamentResponse = Record<string, never>;

export interface Game {
  id?: string;
  summary?: string;
  minSeats?: number;
  maxSeats?: number;
  rulesVersion?: number;
  capabilities?: string[];
  actionCount?: number;
  observationSize?: number;
  bots?: Bot[];
  reasons?: string[];
  scenarioFile?: ScenarioFile;
  scenarioRemarks?: string[];
}

export interface ScenarioFile {
  option?: string;
  textOption?: string;
  mark?: string;
}

export interface Bot {
  name?: string;
  summary?: string;
}

export type ListGamesRequest = Record<string, never>;

export interface ListGamesResponse {
  games?: Game[];
}

export interface Scenario {
  game?: string;
  id?: string;
  name?: string;
  setupJson?: string;
  source?: string;
  facts?: ScenarioFact[];
  chapters?: ScenarioChapter[];
  detailsJson?: string;
  seats?: string[];
  balance?: ScenarioBalance[];
}

export interface ScenarioBalance {
  rulesVersion?: number;
  bots?: string[];
  seed?: string;
  matchCount?: string;
  wins?: string[];
  draws?: string;
  noResults?: string;
  roundsSum?: string;
  date?: string;
}

export interface ScenarioFact {
  name?: string;
  value?: string;
}

export interface ScenarioChapter {
  heading?: string;
  paragraphs?: string[];
}

export interface ListScenariosRequest {
  game?: string;
}

export interface ListScenariosResponse {
  scenarios?: Scenario[];
}

export interface GetScenarioRequest {
  game?: string;
  id?: string;
  text?: string;
}

export interface GetScenarioResponse {
  scenario?: Scenario;
  svg?: string;
  sketchJson?: string;
}

export interface GetSpecRequest {
  game?: string;
}

export interface GetSpecResponse {
  spec?: Spec;
}

export interface Spec {
  game?: string;
  rulesVersion?: number;
  minSeats?: number;
  maxSeats?: number;
  observationSize?: number;
  actionCount?: number;
  maxLegalActions?: number;
  fields?: SpecField[];
  actions?: SpecAction[];
}

export interface SpecField {
  name?: string;
  offset?: number;
  bit?: number;
  bits?: number;
  axes?: SpecAxis[];
  low?: number;
  high?: number;
  none?: number;
  meaning?: string;
  labels?: string[];
}

export interface SpecAxis {
  name?: string;
  size?: number;
  stride?: number;
  first?: number;
  step?: number;
  labels?: string[];
  meanings?: string[];
}

export interface SpecAction {
  name?: string;
  first?: number;
  axes?: SpecAxis[];
  meaning?: string;
}

export interface TowerModel {
  name?: string;
  summary?: string;
  parameterSets?: string[];
  maxThrows?: string;
}

export type ListTowerModelsRequest = Record<string, never>;

export interface ListTowerModelsResponse {
  models?: TowerModel[];
}

export type GetVersionRequest = Record<string, never>;

export interface GetVersionResponse {
  packageVersion?: string;
  rulesVersions?: Record<string, number>;
  buildProfile?: string;
  instructionSet?: string;
  threads?: number;
  limits?: Record<string, string>;
}

export type GetStatusRequest = Record<string, never>;

export interface GetStatusResponse {
  startTime?: string;
  uptime?: string;
  stopping?: boolean;
  calls?: number;
  working?: number;
  waiting?: number;
  openMatches?: number;
  runs?: RunCount[];
  plays?: GamePlay[];
  players?: number;
  environments?: number;
  tournaments?: TournamentCount[];
  missingPackages?: string[];
  clients?: ClientUse[];
  callsEnded?: string;
  callsFailed?: string;
  connections?: number;
  storeBytes?: string;
  problems?: string[];
  caller?: string;
  callerRole?: string;
  fleet?: string;
  fleetWorkers?: FleetWorker[];
}

export interface FleetWorker {
  name?: string;
  node?: string;
  state?: string;
  build?: string;
  threads?: number;
  unitsPerSecond?: number;
  units?: string;
  rangesInFlight?: number;
  secondsSinceHeard?: number;
  disagreements?: number;
  why?: string;
}

export interface ClientUse {
  name?: string;
  calls?: number;
  streams?: number;
  working?: number;
  waiting?: number;
  runs?: number;
  tournaments?: number;
}

export interface RunCount {
  state?: RunState;
  count?: string;
}

export interface TournamentCount {
  state?: TournamentState;
  count?: string;
}

export interface GamePlay {
  game?: string;
  matches?: string;
  decisions?: string;
}

export type FramePart = "FRAME_PART_UNSPECIFIED" | "FRAME_PART_STORY" | "FRAME_PART_LONG_STORY" | "FRAME_PART_EVENTS" | "FRAME_PART_VIEW" | "FRAME_PART_PICTURE" | "FRAME_PART_SKETCH" | "FRAME_PART_ACTIONS";

export type ProposalKind = "PROPOSAL_KIND_UNSPECIFIED" | "PROPOSAL_KIND_TRUCE" | "PROPOSAL_KIND_NO_ATTACK" | "PROPOSAL_KIND_SUPPORT";

export interface MatchOutcome {
  ranks?: number[];
  winner?: number;
  byRule?: boolean;
  reason?: string;
  rounds?: number;
  scores?: number[];
  detailsJson?: string;
}

export interface MatchStatus {
  game?: string;
  rulesVersion?: number;
  seats?: number;
  decisions?: string;
  toAct?: number;
  outcome?: MatchOutcome;
  botToAct?: boolean;
  bots?: Record<string, string>;
}

export interface MatchAccess {
  matchId?: string;
  ownerToken?: string;
  seatTokens?: string[];
  spectatorToken?: string;
}

export interface LegalAction {
  index?: number;
  name?: string;
  argsJson?: string;
  text?: string;
}

export interface Dice {
  faces?: number[];
}

export interface Throws {
  throws?: ScriptedThrow[];
}

export interface ScriptedThrow {
  cubes?: number[];
}

export interface Lots {
  lots?: number[];
}

export interface Stacks {
  stacks?: Stack[];
}

export interface Stack {
  cards?: string[];
}

export interface CreateMatchRequest {
  game?: string;
  seats?: number;
  seed?: string;
  matchIndex?: string;
  setupJson?: string;
  dice?: Dice;
  bots?: Record<string, string>;
  throws?: Throws;
  lots?: Lots;
  cards?: Stacks;
}

export interface CreateMatchResponse {
  access?: MatchAccess;
  status?: MatchStatus;
}

export interface LoadMatchRequest {
  data?: string;
  replay?: string;
}

export interface LoadMatchResponse {
  access?: MatchAccess;
  status?: MatchStatus;
}

export interface GetMatchRequest {
  matchId?: string;
  token?: string;
  wait?: boolean;
}

export interface GetMatchResponse {
  status?: MatchStatus;
  seat?: number;
  spectator?: boolean;
}

export interface GetViewRequest {
  matchId?: string;
  token?: string;
  seat?: number;
}

export interface GetViewResponse {
  viewJson?: string;
  decisions?: string;
}

export interface ListLegalActionsRequest {
  matchId?: string;
  token?: string;
}

export interface ListLegalActionsResponse {
  actions?: LegalAction[];
  decisions?: string;
  actionCount?: number;
}

export interface PlayRequest {
  matchId?: string;
  token?: string;
  action?: string;
  seat?: number;
  expectedDecisions?: string;
  noWait?: boolean;
}

export interface PlayResponse {
  status?: MatchStatus;
}

export interface SuggestActionRequest {
  matchId?: string;
  token?: string;
  bot?: string;
  seed?: string;
}

export interface SuggestActionResponse {
  action?: LegalAction;
  decisions?: string;
}

export interface Frame {
  decision?: string;
  seat?: number;
  action?: LegalAction;
  story?: StoryLine[];
  eventsJson?: string[];
  viewJson?: string;
  svg?: string;
  sketchJson?: string;
  toAct?: number;
  legalActions?: LegalAction[];
  outcome?: MatchOutcome;
}

export interface WatchMatchRequest {
  matchId?: string;
  token?: string;
  seat?: number;
  publicOnly?: boolean;
  firstDecision?: string;
  parts?: FramePart[];
}

export interface WatchMatchResponse {
  frame?: Frame;
}

export interface MatchReference {
  matchId?: string;
  token?: string;
}

export interface TournamentMatchReference {
  tournament?: string;
  match?: string;
}

export interface GetReplayFramesRequest {
  match?: MatchReference;
  replay?: string;
  data?: string;
  tournamentMatch?: TournamentMatchReference;
  seat?: number;
  publicOnly?: boolean;
  firstDecision?: string;
  lastDecision?: string;
  maxFrames?: number;
  parts?: FramePart[];
}

export interface GetReplayFramesResponse {
  frames?: Frame[];
  nextDecision?: string;
  decisions?: string;
}

export interface ListLiveMatchesRequest {
  tournament?: string;
  pageSize?: number;
  pageToken?: string;
}

export interface LiveMatch {
  matchId?: string;
  game?: string;
  players?: string[];
  tournament?: string;
  decisions?: string;
  client?: string;
}

export interface ListLiveMatchesResponse {
  matches?: LiveMatch[];
  nextPageToken?: string;
}

export interface GetObservationRequest {
  matchId?: string;
  token?: string;
  seat?: number;
}

export interface GetObservationResponse {
  observation?: string;
  decisions?: string;
}

export interface GetLogRequest {
  matchId?: string;
  token?: string;
  firstEvent?: string;
  maxEvents?: string;
}

export interface GetLogResponse {
  eventsJson?: string[];
  nextEvent?: string;
}

export interface GetStoryRequest {
  matchId?: string;
  token?: string;
  seat?: number;
  since?: string;
  until?: string;
  long?: boolean;
}

export interface StoryLine {
  decision?: string;
  level?: number;
  text?: string;
}

export interface GetStoryResponse {
  lines?: StoryLine[];
  decisions?: string;
}

export interface Proposal {
  kind?: ProposalKind;
  place?: string;
  rounds?: number;
}

export interface SaidMessage {
  to?: number[];
  text?: string;
  proposal?: Proposal;
  answers?: number;
  accepts?: boolean;
}

export interface TableMessage {
  number?: number;
  decision?: string;
  seat?: number;
  said?: SaidMessage;
}

export interface SayInMatchRequest {
  matchId?: string;
  token?: string;
  seat?: number;
  said?: SaidMessage;
}

export interface SayInMatchResponse {
  message?: TableMessage;
}

export interface ListMessagesRequest {
  matchId?: string;
  token?: string;
  seat?: number;
  since?: number;
  publicOnly?: boolean;
}

export interface ListMessagesResponse {
  messages?: TableMessage[];
}

export interface GetPictureRequest {
  matchId?: string;
  token?: string;
  seat?: number;
}

export interface GetPictureResponse {
  svg?: string;
  sketchJson?: string;
}

export interface GetRecordRequest {
  matchId?: string;
  token?: string;
}

export interface GetRecordResponse {
  seed?: string;
  matchIndex?: string;
  setupJson?: string;
  history?: number[];
  digest?: string;
  diceLeft?: string;
  scriptsLeft?: Record<string, string>;
}

export interface SaveMatchRequest {
  matchId?: string;
  token?: string;
}

export interface SaveMatchResponse {
  data?: string;
}

export interface GetReplayRequest {
  matchId?: string;
  token?: string;
}

export interface GetReplayResponse {
  replay?: string;
}

export interface DeleteMatchRequest {
  matchId?: string;
  token?: string;
}

export type DeleteMatchResponse = Record<string, never>;

export type Autoreset = "AUTORESET_UNSPECIFIED" | "AUTORESET_NEXT_STEP" | "AUTORESET_SAME_STEP" | "AUTORESET_DISABLED";

export interface StepRequest {
  open?: EnvOpen;
  reset?: EnvReset;
  actions?: Tensor;
  sample?: EnvSample;
  save?: EnvSave;
  restore?: EnvRestore;
  fork?: EnvFork;
  reseed?: EnvReseed;
  look?: EnvLook;
}

export interface StepResponse {
  error?: Status;
  columns?: EnvColumns;
  actions?: Tensor;
  data?: string;
  look?: EnvView;
}

export interface EnvOpen {
  game?: string;
  lanes?: number;
  seats?: number;
  setupJson?: string;
  seed?: string;
  firstMatch?: string;
  bots?: Record<string, string>;
  autoreset?: Autoreset;
  maxDecisions?: number;
  record?: boolean;
  skipForced?: boolean;
  shaping?: number;
  discount?: number;
}

export interface EnvReset {
  mask?: Tensor;
  seed?: string;
}

export interface EnvSample {
  seed?: string;
}

export interface EnvSave {
  lane?: number;
}

export interface EnvRestore {
  lane?: number;
  data?: string;
}

export interface EnvFork {
  lane?: number;
  lanes?: number[];
  seed?: string;
}

export interface EnvReseed {
  seed?: string;
  mask?: Tensor;
}

export interface EnvLook {
  lane?: number;
  seat?: number;
  match?: boolean;
}

export interface EnvView {
  digest?: string;
  outcome?: MatchOutcome;
  observation?: string;
  match?: string;
}

export interface EnvColumns {
  observation?: Tensor;
  legalBits?: Tensor;
  seat?: Tensor;
  reward?: Tensor;
  terminated?: Tensor;
  truncated?: Tensor;
  matchIndex?: Tensor;
  decisions?: Tensor;
  finalObservation?: Tensor;
  finalMatchIndex?: Tensor;
  finalDecisions?: Tensor;
  skipped?: Tensor;
}

export type SwordsUnit = "SWORDS_UNIT_UNSPECIFIED" | "SWORDS_UNIT_BOW" | "SWORDS_UNIT_GUN" | "SWORDS_UNIT_SWORD" | "SWORDS_UNIT_SPEAR" | "SWORDS_UNIT_RONIN";

export type SwordsFort = "SWORDS_FORT_UNSPECIFIED" | "SWORDS_FORT_CASTLE" | "SWORDS_FORT_FORTRESS";

export interface SwordsForce {
  daimyo?: number;
  bow?: number;
  gun?: number;
  sword?: number;
  spear?: number;
  ronin?: number;
  disrupted?: boolean;
}

export interface SwordsBattle {
  attacker?: SwordsForce;
  defenders?: SwordsForce[];
  fort?: SwordsFort;
  fortLost?: number;
  naval?: boolean;
  attackerLosses?: SwordsUnit[];
  defenderLosses?: SwordsUnit[];
  breakOffBelow?: number;
  breakOffAfter?: number;
}

export interface SwordsSurvivors {
  force?: SwordsForce;
  probability?: number;
}

export interface SwordsOdds {
  attackerWins?: number;
  defenderWins?: number;
  bothEliminated?: number;
  calledOff?: number;
  standardError?: number;
  samples?: string;
  roundsMean?: number;
  roundsTotal?: string;
  attackerUnitsLeft?: number[];
  defenderUnitsLeft?: number[];
  fortBonusLeft?: number[];
  attackerLeft?: SwordsSurvivors[];
  defenderLeft?: SwordsSurvivors[];
  table?: Tensor;
}

export interface SwordsOddsColumns {
  attackerWins?: Tensor;
  defenderWins?: Tensor;
  bothEliminated?: Tensor;
  calledOff?: Tensor;
  standardError?: Tensor;
  roundsMean?: Tensor;
  samples?: Tensor;
  attackerUnitsLeft?: Tensor;
  defenderUnitsLeft?: Tensor;
}

export type TowerColour = "TOWER_COLOUR_UNSPECIFIED" | "TOWER_COLOUR_RED" | "TOWER_COLOUR_BLUE" | "TOWER_COLOUR_YELLOW" | "TOWER_COLOUR_PURPLE" | "TOWER_COLOUR_BLACK" | "TOWER_COLOUR_FARMER";

export interface TowerCubes {
  red?: number;
  blue?: number;
  yellow?: number;
  purple?: number;
  black?: number;
  farmer?: number;
}

export interface TowerParty {
  colour?: TowerColour;
  cubes?: number;
}

export interface TowerClash {
  attacker?: TowerParty;
  defender?: TowerParty;
  farmersStayOut?: boolean;
  tray?: TowerCubes;
  contents?: TowerCubes;
  neutral?: boolean;
  revolt?: boolean;
  players?: number;
  parametersJson?: string;
  shelves?: TowerCubes[];
}

export interface TowerOdds {
  attackerWins?: number;
  defenderWins?: number;
  none?: number;
  standardError?: number;
  samples?: string;
  attackerArmiesLeft?: number[];
  defenderArmiesLeft?: number[];
  table?: Tensor;
  neglected?: number;
}

export interface TowerOddsColumns {
  attackerWins?: Tensor;
  defenderWins?: Tensor;
  none?: Tensor;
  standardError?: Tensor;
  samples?: Tensor;
  attackerArmiesLeft?: Tensor;
  defenderArmiesLeft?: Tensor;
}

export type OddsMethod = "ODDS_METHOD_UNSPECIFIED" | "ODDS_METHOD_EXACT" | "ODDS_METHOD_SAMPLED";

export interface OddsOptions {
  method?: OddsMethod;
  samples?: string;
  maxError?: number;
  seed?: string;
  includeSurvivors?: boolean;
}

export interface EvaluateRequest {
  swordsBattle?: SwordsBattle;
  towerClash?: TowerClash;
  battlesStrike?: BattlesStrike;
  options?: OddsOptions;
}

export interface EvaluateResponse {
  swordsOdds?: SwordsOdds;
  towerOdds?: TowerOdds;
  battlesOdds?: BattlesOdds;
}

export interface BatchEvaluateRequest {
  swordsBattles?: SwordsBattle[];
  towerClashes?: TowerClash[];
  battlesStrikes?: BattlesStrike[];
  options?: OddsOptions;
}

export interface BatchEvaluateResponse {
  swordsOdds?: SwordsOddsColumns;
  towerOdds?: TowerOddsColumns;
  battlesOdds?: BattlesOddsColumns;
}

export type ForfeitReason = "FORFEIT_REASON_UNSPECIFIED" | "FORFEIT_REASON_ILLEGAL" | "FORFEIT_REASON_LATE" | "FORFEIT_REASON_CRASHED" | "FORFEIT_REASON_DISCONNECTED";

export type FaultKind = "FAULT_KIND_UNSPECIFIED" | "FAULT_KIND_ILLEGAL" | "FAULT_KIND_LATE" | "FAULT_KIND_CRASHED" | "FAULT_KIND_UNKNOWN" | "FAULT_KIND_TWICE" | "FAULT_KIND_MESSAGE";

export interface ConnectRequest {
  hello?: PlayerHello;
  answers?: PlayerAnswers;
  heartbeat?: PlayerHeartbeat;
  goodbye?: PlayerGoodbye;
}

export interface ConnectResponse {
  welcome?: PlayerWelcome;
  decisions?: PlayerDecisions;
  matchOver?: PlayerMatchOver;
  fault?: PlayerFault;
  heartbeat?: PlayerHeartbeat;
  goodbye?: PlayerGoodbye;
}

export interface PlayerHello {
  name?: string;
  games?: string[];
  capacity?: number;
  observation?: boolean;
  view?: boolean;
  actions?: boolean;
}

export interface PlayerWelcome {
  name?: string;
  capacity?: number;
  silence?: string;
}

export interface PlayerDecisions {
  decisions?: PlayerDecision[];
}

export interface PlayerDecision {
  id?: string;
  matchId?: string;
  game?: string;
  seats?: number;
  seat?: number;
  decisions?: number;
  legal?: number[];
  observation?: string;
  viewJson?: string;
  actions?: LegalAction[];
  timeLeft?: string;
  messages?: TableMessage[];
  talk?: boolean;
}

export interface PlayerAnswers {
  answers?: PlayerAnswer[];
}

export interface PlayerAnswer {
  id?: string;
  action?: number;
  failure?: string;
  said?: SaidMessage[];
}

export interface PlayerMatchOver {
  matchId?: string;
  seat?: number;
  ranks?: number[];
  winner?: number;
  reason?: string;
  scores?: number[];
  forfeit?: ForfeitReason;
  game?: string;
}

export interface PlayerFault {
  id?: string;
  kind?: FaultKind;
  message?: string;
}

export interface PlayerHeartbeat {
  number?: string;
}

export type PlayerGoodbye = Record<string, never>;

export type ListPlayersRequest = Record<string, never>;

export interface ListPlayersResponse {
  players?: Player[];
}

export interface Player {
  name?: string;
  client?: string;
  games?: string[];
  streams?: number;
  capacity?: number;
  asked?: number;
}

export interface SeatPlayer {
  bot?: string;
  name?: string;
}

export interface PlayClock {
  decision?: string;
  bank?: string;
  match?: string;
}

export interface PlayMatchesRequest {
  game?: string;
  seats?: number;
  players?: SeatPlayer[];
  setupJson?: string;
  seed?: string;
  firstMatch?: string;
  matchCount?: string;
  rotate?: boolean;
  clock?: PlayClock;
  atOnce?: number;
  replays?: boolean;
  talk?: boolean;
}

export interface PlayMatchesResponse {
  matchesDone?: string;
  matchTotal?: string;
  matches?: PlayedMatch[];
}

export interface PlayedMatch {
  matchIndex?: string;
  rotation?: number;
  ranks?: number[];
  winner?: number;
  byRule?: boolean;
  reason?: string;
  rounds?: number;
  scores?: number[];
  decisions?: number;
  digest?: string;
  forfeits?: ForfeitReason[];
  seconds?: number[];
  replay?: string;
}

export interface NewTower {
  model?: string;
  seed?: string;
  matchIndex?: string;
  contents?: TowerCubes;
  parametersJson?: string;
}

export interface ThrowRequest {
  newTower?: NewTower;
  data?: string;
  cubes?: TowerCubes;
}

export interface ThrowResponse {
  tray?: TowerCubes;
  contents?: TowerCubes;
  data?: string;
  motion?: ThrowMotion;
}

export interface ThrowMotion {
  steps?: number;
  seconds?: number;
  pushes?: number;
  timedOut?: boolean;
  deepestMm?: number;
  deepestAtRestMm?: number;
  energyGrowthMicrojoules?: number;
  energyLostMicrojoules?: number;
  escaped?: number;
  shakeMm?: number;
  shakeWorkMicrojoules?: number;
}

export interface SimulateThrowsRequest {
  cubes?: TowerCubes;
  tower?: NewTower;
  count?: string;
  sequence?: boolean;
}

export interface SimulateThrowsResponse {
  tray?: Tensor;
  contents?: Tensor;
}

export interface FilmThrowRequest {
  newTower?: NewTower;
  data?: string;
  fillPlayers?: number;
  cubes?: TowerCubes;
  framesPerSecond?: number;
}

export interface FilmThrowResponse {
  tray?: TowerCubes;
  contents?: TowerCubes;
  data?: string;
  motion?: ThrowMotion;
  seconds?: Tensor;
  shift?: Tensor;
  centre?: Tensor;
  rotation?: Tensor;
  edge?: Tensor;
  colour?: Tensor;
  thrown?: Tensor;
  boxes?: TowerBox[];
  windowX?: number;
}

export interface TowerBox {
  part?: string;
  centre?: number[];
  half?: number[];
  rotation?: number[];
}

export const AnalysisService = {
  analyseMatch: unary<AnalyseMatchRequest, AnalyseMatchResponse>("sengoku.v1.AnalysisService/AnalyseMatch"),
  getAnalysis: unary<GetAnalysisRequest, GetAnalysisResponse>("sengoku.v1.AnalysisService/GetAnalysis"),
  watchAnalysis: serverStream<WatchAnalysisRequest, WatchAnalysisResponse>("sengoku.v1.AnalysisService/WatchAnalysis"),
  readAnalysis: serverStream<ReadAnalysisRequest, ReadAnalysisResponse>("sengoku.v1.AnalysisService/ReadAnalysis"),
  cancelAnalysis: unary<CancelAnalysisRequest, CancelAnalysisResponse>("sengoku.v1.AnalysisService/CancelAnalysis"),
  resumeAnalysis: unary<ResumeAnalysisRequest, ResumeAnalysisResponse>("sengoku.v1.AnalysisService/ResumeAnalysis"),
  deleteAnalysis: unary<DeleteAnalysisRequest, DeleteAnalysisResponse>("sengoku.v1.AnalysisService/DeleteAnalysis"),
};

export const Operations = {
  listOperations: unary<ListOperationsRequest, ListOperationsResponse>("google.longrunning.Operations/ListOperations"),
  getOperation: unary<GetOperationRequest, Operation>("google.longrunning.Operations/GetOperation"),
  deleteOperation: unary<DeleteOperationRequest, Record<string, never>>("google.longrunning.Operations/DeleteOperation"),
  cancelOperation: unary<CancelOperationRequest, Record<string, never>>("google.longrunning.Operations/CancelOperation"),
  waitOperation: unary<WaitOperationRequest, Operation>("google.longrunning.Operations/WaitOperation"),
};

export const SimulationService = {
  runMatches: unary<RunMatchesRequest, RunMatchesResponse>("sengoku.v1.SimulationService/RunMatches"),
  startRun: unary<StartRunRequest, Operation>("sengoku.v1.SimulationService/StartRun"),
  resumeRun: unary<ResumeRunRequest, ResumeRunResponse>("sengoku.v1.SimulationService/ResumeRun"),
  watchRun: serverStream<WatchRunRequest, WatchRunResponse>("sengoku.v1.SimulationService/WatchRun"),
  readRun: serverStream<ReadRunRequest, ReadRunResponse>("sengoku.v1.SimulationService/ReadRun"),
};

export const TournamentService = {
  createTournament: unary<CreateTournamentRequest, CreateTournamentResponse>("sengoku.v1.TournamentService/CreateTournament"),
  getTournament: unary<GetTournamentRequest, GetTournamentResponse>("sengoku.v1.TournamentService/GetTournament"),
  listTournaments: unary<ListTournamentsRequest, ListTournamentsResponse>("sengoku.v1.TournamentService/ListTournaments"),
  watchTournament: serverStream<WatchTournamentRequest, WatchTournamentResponse>("sengoku.v1.TournamentService/WatchTournament"),
  getStandings: unary<GetStandingsRequest, GetStandingsResponse>("sengoku.v1.TournamentService/GetStandings"),
  listTournamentMatches: unary<ListTournamentMatchesRequest, ListTournamentMatchesResponse>("sengoku.v1.TournamentService/ListTournamentMatches"),
  getTournamentReplay: unary<GetTournamentReplayRequest, GetTournamentReplayResponse>("sengoku.v1.TournamentService/GetTournamentReplay"),
  cancelTournament: unary<CancelTournamentRequest, CancelTournamentResponse>("sengoku.v1.TournamentService/CancelTournament"),
  resumeTournament: unary<ResumeTournamentRequest, ResumeTournamentResponse>("sengoku.v1.TournamentService/ResumeTournament"),
  deleteTournament: unary<DeleteTournamentRequest, DeleteTournamentResponse>("sengoku.v1.TournamentService/DeleteTournament"),
};

export const CatalogService = {
  listGames: unary<ListGamesRequest, ListGamesResponse>("sengoku.v1.CatalogService/ListGames"),
  listScenarios: unary<ListScenariosRequest, ListScenariosResponse>("sengoku.v1.CatalogService/ListScenarios"),
  getScenario: unary<GetScenarioRequest, GetScenarioResponse>("sengoku.v1.CatalogService/GetScenario"),
  getSpec: unary<GetSpecRequest, GetSpecResponse>("sengoku.v1.CatalogService/GetSpec"),
  listTowerModels: unary<ListTowerModelsRequest, ListTowerModelsResponse>("sengoku.v1.CatalogService/ListTowerModels"),
  getVersion: unary<GetVersionRequest, GetVersionResponse>("sengoku.v1.CatalogService/GetVersion"),
  getStatus: unary<GetStatusRequest, GetStatusResponse>("sengoku.v1.CatalogService/GetStatus"),
};

export const MatchService = {
  createMatch: unary<CreateMatchRequest, CreateMatchResponse>("sengoku.v1.MatchService/CreateMatch"),
  loadMatch: unary<LoadMatchRequest, LoadMatchResponse>("sengoku.v1.MatchService/LoadMatch"),
  getMatch: unary<GetMatchRequest, GetMatchResponse>("sengoku.v1.MatchService/GetMatch"),
  getView: unary<GetViewRequest, GetViewResponse>("sengoku.v1.MatchService/GetView"),
  listLegalActions: unary<ListLegalActionsRequest, ListLegalActionsResponse>("sengoku.v1.MatchService/ListLegalActions"),
  play: unary<PlayRequest, PlayResponse>("sengoku.v1.MatchService/Play"),
  suggestAction: unary<SuggestActionRequest, SuggestActionResponse>("sengoku.v1.MatchService/SuggestAction"),
  watchMatch: serverStream<WatchMatchRequest, WatchMatchResponse>("sengoku.v1.MatchService/WatchMatch"),
  getReplayFrames: unary<GetReplayFramesRequest, GetReplayFramesResponse>("sengoku.v1.MatchService/GetReplayFrames"),
  listLiveMatches: unary<ListLiveMatchesRequest, ListLiveMatchesResponse>("sengoku.v1.MatchService/ListLiveMatches"),
  getObservation: unary<GetObservationRequest, GetObservationResponse>("sengoku.v1.MatchService/GetObservation"),
  getLog: unary<GetLogRequest, GetLogResponse>("sengoku.v1.MatchService/GetLog"),
  getStory: unary<GetStoryRequest, GetStoryResponse>("sengoku.v1.MatchService/GetStory"),
  sayInMatch: unary<SayInMatchRequest, SayInMatchResponse>("sengoku.v1.MatchService/SayInMatch"),
  listMessages: unary<ListMessagesRequest, ListMessagesResponse>("sengoku.v1.MatchService/ListMessages"),
  getPicture: unary<GetPictureRequest, GetPictureResponse>("sengoku.v1.MatchService/GetPicture"),
  getRecord: unary<GetRecordRequest, GetRecordResponse>("sengoku.v1.MatchService/GetRecord"),
  saveMatch: unary<SaveMatchRequest, SaveMatchResponse>("sengoku.v1.MatchService/SaveMatch"),
  getReplay: unary<GetReplayRequest, GetReplayResponse>("sengoku.v1.MatchService/GetReplay"),
  deleteMatch: unary<DeleteMatchRequest, DeleteMatchResponse>("sengoku.v1.MatchService/DeleteMatch"),
};

export const EnvService = {
};

export const OddsService = {
  evaluate: unary<EvaluateRequest, EvaluateResponse>("sengoku.v1.OddsService/Evaluate"),
  batchEvaluate: unary<BatchEvaluateRequest, BatchEvaluateResponse>("sengoku.v1.OddsService/BatchEvaluate"),
};

export const PlayerService = {
  listPlayers: unary<ListPlayersRequest, ListPlayersResponse>("sengoku.v1.PlayerService/ListPlayers"),
  playMatches: serverStream<PlayMatchesRequest, PlayMatchesResponse>("sengoku.v1.PlayerService/PlayMatches"),
};

export const TowerService = {
  throw: unary<ThrowRequest, ThrowResponse>("sengoku.v1.TowerService/Throw"),
  simulateThrows: unary<SimulateThrowsRequest, SimulateThrowsResponse>("sengoku.v1.TowerService/SimulateThrows"),
  filmThrow: unary<FilmThrowRequest, FilmThrowResponse>("sengoku.v1.TowerService/FilmThrow"),
};
