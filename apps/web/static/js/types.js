/**
 * The protocol's shapes, for the type checker; docs/web-protocol.md says what they mean.
 *
 * @typedef {import("./words.js").Text} Text
 * @typedef {{e: string, n?: number, [key: string]: any}} Event
 * @typedef {{act: string, cards?: string[], kings?: string[], card?: string, suit?: string, k?: number}} Act
 * @typedef {{rule: string, value: any, origin: string | null, seat: number | null, cards: string[], zh: string, en: string, shown?: Text}} Refused
 * @typedef {{kind: "free" | "human" | "bot", member: string | null, name: string, bot: string | null, pace: string | null,
 *   online: boolean, ready: boolean, auto: boolean}} Seat
 * @typedef {{member: string, name: string, online: boolean, seat: number | null}} Member
 * @typedef {{option: string, name: Text, value: any, shown: string, base: any, meaning: Text, where: string}} Differs
 * @typedef {{id: string, name: Text, description: Text, hash: string, code: string, differs: Differs[],
 *   plugins: Record<string, string>, warnings: any[]}} Rules
 * @typedef {Record<string, number | boolean>} Settings
 * @typedef {{table: string, name: string, phase: "lobby" | "shuffle" | "playing" | "between" | "over" | "broken", game: number,
 *   host: string | null, invite: string, settings: Settings, seats: Seat[], members: Member[], seating: number, swaps: [number, number][],
 *   rules: Rules, error: (Text & {code: string}) | null}} Room
 * @typedef {{member: string, name: string, seat: number | null, host: boolean, auto: boolean, muted: boolean}} You
 * @typedef {{hand: number, round: number, levels: [number, number], dealer: number, suit: string, attackers_points: number,
 *   captured: boolean, takeover: boolean, level_up: {side: number, levels: number} | null, ending: string | null,
 *   round_won_by: number | null, scores: number[]}} SheetRow
 * @typedef {{round: number, hand: number, levels: [number, number], dealer: number | null, scores: number[], titles: string[],
 *   rounds_won: [number, number], hands: number, sheet: SheetRow[]}} Score
 * @typedef {{lane: string, cards: string[]}} Lane
 * @typedef {{seat: number, kings: string[], bottom: string[]}} Naming
 * @typedef {{view: Event[], naming: Naming | null, dealt: number, lanes: Lane[]}} Hand
 * @typedef {{q: number, kind: string, seat: number | null, mine: boolean, closing?: boolean, pass?: boolean, passed?: boolean,
 *   count?: number | null, suit?: string | null, lit?: string[], acts?: Act[], ways?: number, forced?: Act | null}} Ask
 * @typedef {{for: "act" | "window" | "contribute" | "between" | "vote", seat: number | null, left: number, total: number}} Clock
 * @typedef {{id: number, kind: "take_back" | "early", by: number, agreed: number[], needed: number[], left: number}} Vote
 * @typedef {{hash: string, hand: number, redeal: number, given: boolean[], wanted: boolean}} FairOffer
 * @typedef {{rev: number, you: You, room: Room, score: Score, hand: Hand | null, ask: Ask | null, clock: Clock | null,
 *   vote: Vote | null, fair: FairOffer | null, since: number}} State
 */

export {};
