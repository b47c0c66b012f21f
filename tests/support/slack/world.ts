import { Ids, seconds } from './ids.ts'
import type { Block, Json } from './json.ts'
import { MessageLog } from './message-log.ts'
import type { Channel, ChannelKind, Group, Message, Person, Session, StoredFile, View } from './types.ts'

export interface WorldOptions {
  /** First names; each gets a DM with the bot when it is first used. */
  people?: string[]
  /** Beyond `general` (everyone and the bot), `random` (without the bot) and `private` (with the bot). */
  channels?: { name: string; private?: boolean; members?: string[]; bot?: boolean }[]
  groups?: { handle: string; users: string[] }[]
}

const mostEphemerals = 2_000
const mostFileBytes = 256 * 1024 * 1024

const upper = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** A user group's id is derived from its handle. */
export const groupId = (handle: string): string => `S0${upper(handle).padEnd(8, '0')}`

/** The state of one workspace. It has no rules. */
export class World {
  readonly ids = new Ids()
  readonly team = { id: 'T0TESTTEAM', name: 'Test Team', domain: 'test-team' }
  readonly app = { id: 'A0TESTAPP1', name: 'bobbin' }
  readonly people = new Map<string, Person>()
  readonly channels = new Map<string, Channel>()
  readonly groups = new Map<string, Group>()
  readonly files = new Map<string, StoredFile>()
  readonly views = new Map<string, View>()
  readonly sessions = new Map<string, Session>()
  readonly ephemerals: Message[] = []
  /** Deleted, but perhaps still on somebody's screen. */
  readonly removed: Message[] = []
  readonly bot: Person
  readonly otherBot: Person
  /** Called after each change. */
  readonly watchers = new Set<() => void>()

  constructor(options: WorldOptions) {
    this.bot = this.#add({ id: 'U0TESTBOT1', name: 'bobbin', botId: 'B0TESTBOT1', appId: this.app.id })
    this.otherBot = this.#add({ id: 'U0OTHERBOT', name: 'builder', botId: 'B0OTHERBOT', appId: 'A0OTHERAPP' })
    const names = options.people ?? ['ana', 'ben', 'cleo', 'dan']
    const ids = names.map((name) => this.#add({ id: `U0${upper(name).padEnd(8, '0')}`, name }).id)
    const everyone = [...ids, this.bot.id, this.otherBot.id]
    this.addChannel('general', 'public', everyone)
    this.addChannel('random', 'public', ids)
    this.addChannel('private', 'private', everyone)
    for (const { name, private: hidden, members, bot = true } of options.channels ?? []) {
      const inside = members?.map((one) => this.person(one).id) ?? ids
      this.addChannel(name, hidden ? 'private' : 'public', bot ? [...inside, this.bot.id] : inside)
    }
    for (const { handle, users } of options.groups ?? []) {
      this.group(handle).users = users.map((one) => this.person(one).id)
    }
  }

  #add({ id, name, ...rest }: { id: string; name: string; botId?: string; appId?: string }): Person {
    const realName = name.charAt(0).toUpperCase() + name.slice(1)
    const person = { id, name, realName, tz: 'Europe/Berlin', ...rest }
    this.people.set(id, person)
    return person
  }

  addChannel(name: string, kind: ChannelKind, members: string[]): Channel {
    const prefix = kind === 'im' ? 'D0' : kind === 'private' ? 'G0' : 'C0'
    const id =
      kind === 'im' || this.channels.has(prefix + upper(name).padEnd(8, '0'))
        ? this.ids.next(prefix.charAt(0))
        : prefix + upper(name).padEnd(8, '0')
    const channel: Channel = {
      id,
      name,
      kind,
      members: new Set(members),
      archived: false,
      created: seconds(),
      topic: '',
      purpose: '',
      messages: new MessageLog(),
    }
    this.channels.set(id, channel)
    return channel
  }

  /** By id or name. */
  person(who: string): Person {
    const found = this.people.get(who) ?? [...this.people.values()].find(({ name }) => name === who)
    if (!found) throw new Error(`no person ${who} in this workspace`)
    return found
  }

  /** By id or name; `@ana` is the DM of ana with the bot, which is created if it doesn't exist. */
  channel(which: string): Channel {
    if (which.startsWith('@')) return this.direct(which.slice(1))
    const found = this.channels.get(which) ?? [...this.channels.values()].find(({ name }) => name === which)
    if (!found) throw new Error(`no channel ${which} in this workspace`)
    return found
  }

  /** By handle; created without members if it doesn't exist. */
  group(handle: string): Group {
    const id = groupId(handle)
    const group = this.groups.get(id) ?? { id, handle, name: handle, users: [] }
    this.groups.set(id, group)
    return group
  }

  direct(who: string): Channel {
    const { id, name } = this.person(who)
    const found = [...this.channels.values()].find(({ kind, members }) => kind === 'im' && members.has(id))
    return found ?? this.addChannel(`dm-${name}`, 'im', [id, this.bot.id])
  }

  /** By ts, including ephemeral ones. */
  message(ts: string, channel?: string): Message | undefined {
    for (const place of channel === undefined ? this.channels.values() : [this.channels.get(channel)]) {
      const found = place?.messages.get(ts)
      if (found) return found
    }
    return this.ephemerals.findLast((one) => one.ts === ts && (channel === undefined || one.channel === channel))
  }

  store(fields: Partial<Message> & { channel: string; text: string }): Message {
    const message: Message = {
      ts: this.ids.ts(),
      user: undefined,
      bot: undefined,
      subtype: undefined,
      blocks: [],
      attachments: [],
      files: [],
      threadTs: undefined,
      clientMsgId: undefined,
      username: undefined,
      icons: undefined,
      metadata: undefined,
      edited: undefined,
      reactions: [],
      stream: undefined,
      ephemeralTo: undefined,
      broadcast: false,
      deleted: false,
      before: [],
      chosen: new Map(),
      ...fields,
    }
    if (message.ephemeralTo === undefined) this.channel(message.channel).messages.add(message)
    else this.ephemerals.push(message)
    if (this.ephemerals.length > mostEphemerals) this.ephemerals.shift()
    return message
  }

  keepFile(file: StoredFile): StoredFile {
    this.files.set(file.id, file)
    let bytes = 0
    for (const one of [...this.files.values()].toReversed()) {
      bytes += one.content.length
      if (bytes > mostFileBytes) one.content = Buffer.alloc(0)
    }
    return file
  }

  /** Blocks as Slack stores them, each with an id. */
  withIds(blocks: Block[]): Block[] {
    return blocks.map((block) => ({
      ...block,
      block_id: block.block_id ?? this.ids.next('b').toLowerCase(),
      ...(Array.isArray(block.elements) && block.type !== 'rich_text' && { elements: block.elements.map(this.#named) }),
      ...(block.element !== undefined && { element: this.#named(block.element as Json) }),
      ...(block.accessory !== undefined && { accessory: this.#named(block.accessory as Json) }),
    }))
  }

  readonly #named = (element: Json): Json => {
    const interactive = !['image', 'plain_text', 'mrkdwn'].includes(String(element.type))
    return interactive && element.action_id === undefined
      ? { ...element, action_id: this.ids.next('a').toLowerCase() }
      : element
  }

  /** Stops everything that happens by itself. */
  stop() {
    this.watchers.clear()
    for (const { messages } of this.channels.values()) {
      for (const { stream } of messages.all()) clearTimeout(stream?.timer)
    }
  }

  changed() {
    for (const watch of [...this.watchers]) watch()
  }
}
