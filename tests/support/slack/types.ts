import type { Block, Json } from './json.ts'
import type { MessageLog } from './message-log.ts'

export interface Person {
  id: string
  name: string
  realName: string
  /** For bots. */
  botId?: string
  appId?: string
  deleted?: boolean
  tz: string
  /** The workspace they belong to, if it's another one. */
  team?: string
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim'

export interface Channel {
  id: string
  name: string
  kind: ChannelKind
  /** User ids. */
  members: Set<string>
  archived: boolean
  /** Seconds. */
  created: number
  topic: string
  purpose: string
  messages: MessageLog
}

export interface StoredFile {
  id: string
  name: string
  title: string
  mimetype: string
  content: Buffer
  /** A user id. */
  owner: string
  /** Seconds. */
  created: number
  shares: { channel: string; ts: string; threadTs: string | undefined }[]
  /** Slack Connect: the event says only that files.info has more. */
  checkInfo: boolean
  deleted: boolean
}

export interface Task {
  id: string
  title: string
  status: string
  details: string
  output: string
  sources: Json[]
}

export interface Stream {
  state: 'in_progress' | 'completed' | 'errored'
  stoppedByUser: boolean
  mode: 'text' | 'chunks' | undefined
  display: 'timeline' | 'plan'
  planTitle: string | undefined
  /** In the order in which they began: text, a task by its id, blocks. */
  parts: ({ kind: 'text'; text: string } | { kind: 'task'; id: string } | { kind: 'blocks'; blocks: Block[] })[]
  tasks: Map<string, Task>
  /** What chat.stopStream adds at the end. */
  tail: Block[]
  timer: NodeJS.Timeout | undefined
}

interface Reaction {
  name: string
  users: string[]
}

export interface Message {
  ts: string
  channel: string
  /** Undefined for a bot_message of the old kind. */
  user: string | undefined
  bot: Person | undefined
  subtype: string | undefined
  text: string
  blocks: Block[]
  attachments: Json[]
  files: StoredFile[]
  threadTs: string | undefined
  clientMsgId: string | undefined
  username: string | undefined
  icons: Json | undefined
  metadata: Json | undefined
  edited: { user: string; ts: string } | undefined
  reactions: Reaction[]
  stream: Stream | undefined
  ephemeralTo: string | undefined
  broadcast: boolean
  deleted: boolean
  /** What it showed before, newest last: people still see and click an old card. */
  before: Block[][]
  /** What people chose in its menus: `state.values` by user id. */
  chosen: Map<string, Record<string, Json>>
}

export interface View {
  id: string
  user: string
  type: 'modal' | 'home'
  /** As it was sent, with ids for its blocks. */
  content: Json
  hash: string
  rootId: string
  previousId: string | undefined
  closed: boolean
  /** What the last submission was answered with, by block. */
  errors: Record<string, string>
}

export interface Session {
  channel: string
  threadTs: string
  status: string
  title: string
  initiator: string | undefined
}

export interface Group {
  id: string
  handle: string
  name: string
  users: string[]
}

export interface ApiCall {
  method: string
  args: Json
  /** Milliseconds. */
  at: number
  ok: boolean
  error?: string
}
