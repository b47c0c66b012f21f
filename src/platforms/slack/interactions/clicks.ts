import { z } from 'zod'
import type { Given } from '../../../domain/question.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { readJson } from '../../read-json.ts'
import { tooLateWords } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { codeOf, reasonIn } from '../api/errors.ts'
import { actions, requestIn } from '../cards/action-ids.ts'
import { nameOf } from '../cards/elements.ts'
import { formFor } from '../cards/forms.ts'
import type { Threads } from '../directory/threads.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Speaker } from '../post/speaker.ts'
import { slackWords } from '../words/words.ts'
import { giveAnswer } from './answering.ts'
import { judge } from './feedback.ts'
import { type Click, chosen } from './payload.ts'

export interface ClickDeps {
  slack: SlackWorkspace
  sink: InboundSink
  speaker: Speaker
  threads: Threads
}

const approve: Given = { kind: 'approval', answer: { decision: 'approve' } }
const deny: Given = { kind: 'approval', answer: { decision: 'deny' } }

const pair = z.tuple([z.string(), z.string()])

/** What a click answers, and to which request; undefined if it only opens a form, or says nothing. */
function givenBy({ actions: [action], state }: Click): { request: string; given: Given } | undefined {
  if (action === undefined) return undefined
  const { action_id, block_id, value = '', selected_option } = action
  if (action_id === actions.approve) return { request: value, given: approve }
  if (action_id === actions.deny) return { request: value, given: deny }
  if (action_id === actions.decline) return { request: value, given: { kind: 'declined' } }
  if (action_id.startsWith(actions.option)) {
    const [request, option] = readJson(value, pair) ?? []
    if (request === undefined || option === undefined) return undefined
    return { request, given: { kind: 'question', answer: option } }
  }
  if (action_id === actions.select && selected_option !== undefined) {
    return { request: requestIn(block_id) ?? '', given: { kind: 'question', answer: selected_option.value } }
  }
  if (action_id === actions.send) {
    const ticked = chosen.safeParse(state.values[block_id]?.[actions.tick]).data?.selected_options ?? []
    return { request: value, given: { kind: 'question', answer: ticked.map((one) => one.value) } }
  }
  return undefined
}

/** Clicks on cards and answers. Each resolves when its answer is stored. */
export class Clicks {
  readonly #deps: ClickDeps

  constructor(deps: ClickDeps) {
    this.#deps = deps
  }

  async answer(click: Click): Promise<void> {
    const { slack, sink } = this.#deps
    const said = givenBy(click)
    if (said === undefined) return
    if (said.given.kind === 'question' && said.given.answer.length === 0) {
      return this.#whisper(click, slackWords.nothingChosen())
    }
    const who = { user: click.user.id, team: click.user.team_id, channel: click.channel.id }
    const reply = await giveAnswer(slack, sink, said.request, said.given, who)
    if (reply !== undefined) this.#whisper(click, reply.text)
  }

  /** Slack lets us open a form for three seconds after the click. */
  async openForm(click: Click): Promise<void> {
    const { slack, sink } = this.#deps
    const { action_id = '', value: id = '' } = click.actions[0] ?? {}
    const request = await sink.request(id)
    if (request === undefined) return this.#whisper(click, chatWords.gone())
    if (request.state !== 'pending') return this.#whisper(click, tooLateWords(request, nameOf))
    const thread = await this.#threadOf(click)
    const view = formFor(action_id, request, { request: id, channel: click.channel.id, thread })
    if (view === undefined) return this.#whisper(click, chatWords.onceOnly())
    // Nothing is stored, so there is no reason to make Slack wait.
    slack.api
      .once((client) => client.views.open({ trigger_id: click.trigger_id, view }))
      .catch((thrown) => {
        slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a form could not be opened')
        const isLate = codeOf(thrown)?.includes('trigger') === true
        this.#whisper(click, isLate ? slackWords.formTooLate() : slackWords.formNotOpened())
      })
  }

  async feedback(click: Click): Promise<void> {
    const { channel, container, user, trigger_id: trigger } = click
    const value = click.actions[0]?.value
    if (value !== 'good' && value !== 'bad') return
    const judged = { channel: channel.id, thread: await this.#threadOf(click), message: container.message_ts }
    await judge(this.#deps, judged, value, { user: user.id, trigger })
  }

  #whisper(click: Click, text: string): void {
    const thread = click.container.thread_ts ?? click.message?.thread_ts
    void this.#deps.speaker.whisper(click.user.id, { channel: click.channel.id, thread }, text)
  }

  async #threadOf({ channel, container, message }: Click): Promise<string> {
    const known = container.thread_ts ?? message?.thread_ts
    return known ?? this.#deps.threads.of(channel.id, container.message_ts)
  }
}
