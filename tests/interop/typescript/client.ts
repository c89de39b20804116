// A Landsraad player that picks its actions at random, as an example for authors of clients.
//
// It knows nothing of the game and of the protocol only what proto/README.md says. It takes a seat, plays,
// keeps its view by folding diffs, compares it with a snapshot now and then, and comes back after every
// broken connection; with --cut it breaks some itself. The last line it prints is the result, as JSON.
//
//   npm ci
//   protoc -I ../../../proto --plugin=node_modules/.bin/protoc-gen-es --es_out=. \
//     --es_opt=target=ts,import_extension=js landsraad/v1/{catalogue,game,protocol,record}.proto
//   npx tsc && node built/client.js --server ws://127.0.0.1:8080 --name Chani
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { WebSocket } from "ws";
import { GameViewSchema, Phase, type LegalActions, type Snapshot } from "./landsraad/v1/game_pb.js";
import {
  ClientMessageSchema, ErrorCode, RoomStateSchema, RoomStatus, ServerMessageSchema, type Error as ServerError,
  type GameUpdate, type RoomJoined, type RoomState, type ServerMessage,
} from "./landsraad/v1/protocol_pb.js";

type Request = NonNullable<MessageInitShape<typeof ClientMessageSchema>["body"]>;

const PATIENCE = 60_000;  // milliseconds without a server after which the client gives up
const RETRY_AFTER = 250;  // milliseconds until it tries to connect again
const AGAIN = [ErrorCode.BUSY, ErrorCode.STORAGE_UNAVAILABLE];
// Somebody was faster, or the server is about to close the connection: what comes next brings us up to date.
const HARMLESS = [ErrorCode.STALE_DECISION, ErrorCode.NOT_YOUR_DECISION, ErrorCode.ALREADY_STARTED,
                  ErrorCode.NOT_READY, ErrorCode.SHUTTING_DOWN];
const KEYED = ["seats", "spaces", "posts"];

const { values: options } = parseArgs({ options: {
  server: { type: "string", default: "ws://127.0.0.1:8080" },
  name: { type: "string", default: "Random" },
  room: { type: "string", default: "" },         // join this room; without it, open one of four seats
  compare: { type: "string", default: "0.05" },  // share of updates checked by a snapshot
  cut: { type: "string", default: "0" },         // share of updates after which it hangs up
} });

const chance = (share?: string) => Math.random() < Number(share);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function giveUp(reason: string): never {
  console.error(reason);
  process.exit(1);
}

/** Carries the changes of one diff into a view: an absent field is not a property of the message. */
function fold(view: any, changes: any): void {
  for (const [name, value] of Object.entries<any>(changes)) {
    if (!KEYED.includes(name)) view[name] = value;
    else for (const change of value) fold(view[name].find((part: any) => part.id === change.id), change);
  }
}

class Player {
  private socket!: WebSocket;
  private lastId = 0n;
  private unanswered = new Map<bigint, Request>();
  private room = options.room!;  // a client for people keeps this and the token on disk
  private playerToken = "";
  private state: RoomState = create(RoomStateSchema);
  private view = create(GameViewSchema);
  private version?: number;
  private decision?: LegalActions;
  private answeredVersion?: number;  // of the decision this connection has answered
  private counts = { actions: 0, connections: 0, cuts: 0, diffs: 0, snapshots_compared: 0 };

  isOver(): boolean {
    return this.state.status === RoomStatus.OVER && this.view.phase === Phase.OVER;
  }

  /** Plays until the game is over, over as many connections as it takes. */
  async play(): Promise<void> {
    let lastHeard = Date.now();
    while (!this.isOver()) {
      if (await this.playConnection()) lastHeard = Date.now();
      else if (Date.now() - lastHeard > PATIENCE) giveUp(`no server at ${options.server}`);
      await pause(RETRY_AFTER);
    }
  }

  /** Plays until this connection ends; whether it was ever open. */
  private playConnection(): Promise<boolean> {
    return new Promise((resolve) => {
      let opened = false;
      this.socket = new WebSocket(options.server!, ["landsraad.v1"]);
      this.socket.on("open", () => { opened = true; this.greet(); });
      this.socket.on("message", (frame) =>
        this.receive(fromBinary(ServerMessageSchema, frame as Buffer, { readUnknownFields: false })));
      this.socket.on("error", () => {});  // "close" follows
      this.socket.on("close", () => resolve(opened));
    });
  }

  private greet(): void {
    this.counts.connections++;
    this.lastId = 0n;
    this.unanswered.clear();
    this.answeredVersion = undefined;
    const { playerToken } = this;
    this.ask({ case: "hello", value: { name: options.name, client: "landsraad-example-typescript/1", playerToken } });
  }

  private ask(body: Request): void {
    this.unanswered.set(++this.lastId, body);
    this.socket.send(toBinary(ClientMessageSchema, create(ClientMessageSchema, { requestId: this.lastId, body })));
  }

  /** A message is handled by what is in it, asked for or not. */
  private receive({ replyTo, body }: ServerMessage): void {
    const request = this.unanswered.get(replyTo);
    this.unanswered.delete(replyTo);
    switch (body.case) {
      case "error": this.onError(body.value, request); break;
      case "welcome": this.enter(body.value.playerToken); break;
      case "room": this.onRoom(body.value); break;
      case "roomJoined": this.onJoined(body.value); break;
      case "seatTaken": this.ask({ case: "ready", value: { ready: true } }); break;
      case "game": this.onGame(body.value); break;
      case "roomLeft": giveUp("the server has closed the room");
    }
    if (this.isOver()) this.socket.close();
  }

  private onError(error: ServerError, request?: Request): void {
    const socket = this.socket;
    if (AGAIN.includes(error.code) && request) setTimeout(() => socket === this.socket && this.ask(request), 1000);
    else if (!HARMLESS.includes(error.code)) giveUp(`${ErrorCode[error.code]}: ${error.message}`);
  }

  private enter(newToken: string): void {
    this.playerToken ||= newToken;
    const { room, version } = this;
    if (room) this.ask({ case: "joinRoom", value: { room, heldVersion: version } });
    else this.ask({ case: "createRoom", value: { options: { title: options.name } } });
  }

  private onJoined(joined: RoomJoined): void {
    if (!this.room) console.log(`room ${(this.room = joined.room!.room)}`);
    this.onRoom(joined.room!);
    if (joined.game) this.onGame(joined.game);
    if (joined.seat === undefined) this.ask({ case: "takeSeat", value: {} });
    else if (this.state.status === RoomStatus.LOBBY) this.ask({ case: "ready", value: { ready: true } });
  }

  private onRoom(state: RoomState): void {
    this.state = state;
    const everybody = state.seats.every((seat) => seat.taken && seat.ready);
    if (!options.room && state.status === RoomStatus.LOBBY && everybody) this.ask({ case: "startGame", value: {} });
  }

  private onGame(update: GameUpdate): void {
    if (update.snapshot) this.takeSnapshot(update.snapshot);
    for (const diff of update.diffs) {
      if (diff.version - 1 !== this.version) return this.ask({ case: "resync", value: {} });
      fold(this.view, diff.changes ?? {});
      this.version = diff.version;
      this.counts.diffs++;
    }
    this.decision = update.decision;
    if (update.diffs.length && chance(options.compare)) this.ask({ case: "resync", value: {} });
    this.act();
    if (chance(options.cut)) {
      this.counts.cuts++;
      this.socket.terminate();  // whether the last action has arrived, the next connection tells
    }
  }

  /** Replaces the view; of the same version it must be what the diffs have made of ours. */
  private takeSnapshot({ version, view }: Snapshot): void {
    if (version === this.version) {
      this.counts.snapshots_compared++;
      const [sent, folded] = [view!, this.view].map((each) => Buffer.from(toBinary(GameViewSchema, each)));
      if (!sent.equals(folded)) giveUp(`version ${version}: what the diffs make is not the snapshot`);
    }
    this.view = view!;
    this.version = version;
  }

  private act(): void {
    if (!this.decision || this.decision.version === this.answeredVersion) return;
    this.answeredVersion = this.decision.version;
    this.counts.actions++;
    const { version, actions } = this.decision;
    this.ask({ case: "act", value: { version, action: actions[Math.floor(Math.random() * actions.length)] } });
  }

  result() {
    const standings = this.view.seats.map((seat) => ({ seat: seat.id, name: this.state.seats[seat.id].name,
      place: seat.place, victory_points: seat.victoryPoints }));
    const fair = createHash("sha256").update(this.state.seed).digest().equals(this.state.seedCommitment);
    return { standings, version: this.version, seed_as_committed: fair, ...this.counts };
  }
}

const player = new Player();
await player.play();
console.log(JSON.stringify(player.result()));
