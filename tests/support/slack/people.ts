import { type Announcing, announceChange, announcePost, snapshot } from './announce.ts'
import type { Copies } from './events.ts'
import { makeFile, type NewFile } from './files.ts'
import { type Block, blocksOf } from './json.ts'
import { remove, rewrite } from './methods/chat.ts'
import { addReaction, removeReaction } from './methods/reactions.ts'
import { type PastedTable, pasted } from './pasted.ts'
import { richTextOf, wireText } from './rich-text.ts'
import type { Slack } from './slack.ts'
import { endStream } from './stream.ts'
import type { Message, Person } from './types.ts'

export interface PostOptions extends Announcing {
  thread_ts?: string
  files?: NewFile[]
  /** Cells that are pasted into it. */
  table?: PastedTable
  /** Where an app puts a table. */
  tableInBlocks?: boolean
  /** What an app puts beside its text. */
  blocks?: Block[]
  /** No event is sent; it is only in the history. */
  silent?: boolean
}

export interface BotPostOptions extends PostOptions {
  /** The old kind has the subtype bot_message and no user. */
  legacy?: boolean
}

/** What people do besides clicking. Users and channels are given by id or name; `@ana` is her DM with the bot. */
export class People {
  readonly #slack: Slack

  constructor(slack: Slack) {
    this.#slack = slack
  }

  /** The ts. `<@U…>`, `<#C…>`, `<!here>` and `<https://…>` are what they are; the rest is text. */
  post(user: string, channel: string, text: string, options: PostOptions = {}): string {
    const { world } = this.#slack
    const person = world.person(user)
    const place = this.#place(person, channel)
    const files = (options.files ?? []).map((one) => makeFile(world, person.id, one))
    return this.#store(text, options, {
      channel: place.id,
      user: person.id,
      clientMsgId: crypto.randomUUID(),
      files,
      subtype: files.length > 0 ? 'file_share' : undefined,
    })
  }

  /** A post that starts with a mention of the bot. */
  mention(user: string, channel: string, text: string, options: PostOptions = {}): string {
    return this.post(user, channel, `<@${this.#slack.world.bot.id}> ${text}`, options)
  }

  /** Another app's bot. */
  botPost(channel: string, text: string, { legacy = true, ...options }: BotPostOptions = {}): string {
    const { world } = this.#slack
    const { otherBot } = world
    const place = world.channel(channel)
    place.members.add(otherBot.id)
    const author = legacy
      ? { subtype: 'bot_message', username: otherBot.name, icons: { emoji: ':robot_face:' } }
      : { user: otherBot.id }
    return this.#store(text, options, { channel: place.id, bot: otherBot, ...author })
  }

  edit(
    user: string,
    ts: string,
    text: string,
    { table, blocks, ...asked }: Copies & Pick<PostOptions, 'table' | 'blocks'> = {},
  ) {
    const { world } = this.#slack
    const message = this.#own(user, ts)
    const previous = snapshot(this.#slack, message)
    const wire = wireText(text)
    const edited = { user: world.person(user).id, ts: world.ids.ts() }
    const attachments = table === undefined ? message.attachments : pasted(world, table)
    const shown = blocks ?? [richTextOf(wire, world.ids.next('b'))]
    rewrite(message, { text: wire, blocks: shown, attachments, edited })
    announceChange(this.#slack, message, previous, asked)
    world.changed()
  }

  /** Deletes one's own message, or any other as an admin. */
  delete(_user: string, ts: string) {
    remove(this.#slack, this.#any(ts))
    this.#slack.world.changed()
  }

  react(user: string, ts: string, name: string) {
    addReaction(this.#slack, this.#any(ts), name, this.#slack.world.person(user).id)
    this.#slack.world.changed()
  }

  unreact(user: string, ts: string, name: string) {
    removeReaction(this.#slack, this.#any(ts), name, this.#slack.world.person(user).id)
    this.#slack.world.changed()
  }

  /** Slack unfurls a link: the message changes, though nobody edited it. */
  unfurl(ts: string) {
    const message = this.#any(ts)
    const previous = snapshot(this.#slack, message)
    message.attachments = [{ id: 1, from_url: 'https://example.invalid/', title: 'A page', fallback: 'A page' }]
    announceChange(this.#slack, message, previous)
  }

  join(user: string, channel: string, inviter?: string) {
    const { world, events } = this.#slack
    const place = world.channel(channel)
    const { id } = world.person(user)
    place.members.add(id)
    const by = inviter === undefined ? {} : { inviter: world.person(inviter).id }
    const channel_type = place.kind === 'public' ? 'C' : 'G'
    events.tell(
      { type: 'member_joined_channel', user: id, channel: place.id, channel_type, team: world.team.id, ...by },
      place.id,
    )
    const text = `<@${id}> has joined the channel`
    const message = world.store({ channel: place.id, user: id, subtype: 'channel_join', text })
    announcePost(this.#slack, message)
    world.changed()
  }

  /** Makes exactly these people the members of a user group, creating it if needed; returns its id. */
  setGroup(handle: string, users: string[]): string {
    const { world } = this.#slack
    const group = world.group(handle)
    group.users = users.map((user) => world.person(user).id)
    return group.id
  }

  /** With another workspace: a private channel gets another id. Returns both. */
  share(channel: string): { before: string; now: string } {
    const { world, events } = this.#slack
    const place = world.channel(channel)
    const before = place.id
    const now = world.ids.next('C')
    world.channels.delete(before)
    world.channels.set(now, Object.assign(place, { id: now }))
    for (const message of place.messages.all()) message.channel = now
    events.tell({ type: 'channel_id_changed', old_channel_id: before, new_channel_id: now }, now)
    return { before, now }
  }

  leave(user: string, channel: string) {
    const { world } = this.#slack
    world.channel(channel).members.delete(world.person(user).id)
  }

  /** Opens the app, on its messages by default. */
  openHome(user: string, { tab = 'messages' }: { tab?: 'messages' | 'home' } = {}) {
    const { world, events } = this.#slack
    const channel = world.direct(user)
    events.tell({ type: 'app_home_opened', user: world.person(user).id, channel: channel.id, tab }, channel.id)
  }

  /** Switches to another channel while the app is open next to it. */
  lookAt(user: string, channel: string) {
    const { world, events } = this.#slack
    const entity = { type: 'slack#/types/channel_id', value: world.channel(channel).id, team_id: world.team.id }
    const home = world.direct(user)
    const context = { entities: [entity] }
    events.tell({ type: 'app_context_changed', user: world.person(user).id, channel: home.id, context }, home.id)
  }

  /** The Stop button: the app's streams in the thread end, and the app is told; its status stays as it is. */
  stopSession(user: string, channel: string, threadTs: string) {
    const { world, events } = this.#slack
    const place = world.channel(channel)
    const session = world.sessions.get(`${place.id}:${threadTs}`)
    if (session?.status !== 'processing') throw new Error('there is a Stop button only while the session is processing')
    const running = place.messages.replies(threadTs).filter(({ stream }) => stream?.state === 'in_progress')
    for (const message of running) {
      if (message.stream) message.stream.stoppedByUser = true
      endStream(this.#slack, message, 'completed')
    }
    const streaming_message_ts = running.map(({ ts }) => ts)
    const event = { channel: place.id, user: world.person(user).id, thread_ts: threadTs, streaming_message_ts }
    events.tell({ type: 'agent_session_stopped', ...event }, place.id)
  }

  renameSession(user: string, channel: string, threadTs: string, title: string) {
    const { world, events } = this.#slack
    const place = world.channel(channel)
    const session = world.sessions.get(`${place.id}:${threadTs}`)
    if (!session) throw new Error(`no session in ${threadTs}`)
    const previous_title = session.title
    session.title = title
    const who = { channel: place.id, user: world.person(user).id, team_id: world.team.id, thread_ts: threadTs }
    events.tell({ type: 'agent_session_title_changed', ...who, title, previous_title }, place.id)
  }

  #store(text: string, options: PostOptions, fields: Partial<Message> & { channel: string }): string {
    const { world } = this.#slack
    const wire = wireText(text)
    const blocks = options.blocks ?? (wire === '' ? [] : [richTextOf(wire, world.ids.next('b'))])
    const attachments = pasted(world, options.table)
    if (options.tableInBlocks) blocks.push(...attachments.splice(0).flatMap((one) => blocksOf(one.blocks)))
    const message = world.store({ ...fields, text: wire, blocks, attachments, threadTs: options.thread_ts })
    const { channel, ts, threadTs } = message
    for (const file of message.files) file.shares.push({ channel, ts, threadTs })
    if (!options.silent) announcePost(this.#slack, message, options)
    world.changed()
    return ts
  }

  #place(person: Person, channel: string) {
    const place = this.#slack.world.channel(channel)
    if (!place.members.has(person.id)) throw new Error(`${person.name} is not in ${place.name}`)
    return place
  }

  #any(ts: string): Message {
    const message = this.#slack.world.message(ts)
    if (!message || message.deleted) throw new Error(`no message ${ts}`)
    return message
  }

  #own(user: string, ts: string): Message {
    const message = this.#any(ts)
    if (message.user !== this.#slack.world.person(user).id) throw new Error(`${ts} is not a message of ${user}`)
    return message
  }
}
