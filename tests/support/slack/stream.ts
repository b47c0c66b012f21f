import { announceChange, snapshot } from './announce.ts'
import { type Block, blocksOf, compact, type Json, listAt, stringAt } from './json.ts'
import { mrkdwnOf } from './markdown.ts'
import { plainRichText } from './rich-text.ts'
import type { Slack } from './slack.ts'
import type { Message, Stream, Task } from './types.ts'
import type { World } from './world.ts'

export const newStream = (display: Stream['display']): Stream => ({
  state: 'in_progress',
  stoppedByUser: false,
  mode: undefined,
  display,
  planTitle: undefined,
  parts: [],
  tasks: new Map(),
  tail: [],
  timer: undefined,
})

function addText(stream: Stream, text: string) {
  const last = stream.parts.at(-1)
  if (last?.kind === 'text') last.text += text
  else stream.parts.push({ kind: 'text', text })
}

/** Title and status replace what the card says; details and output are added to it (as measured on the real one). */
function addTask(stream: Stream, chunk: Json) {
  const id = stringAt(chunk, 'id')
  const held = stream.tasks.get(id)
  if (!held) stream.parts.push({ kind: 'task', id })
  const sources = listAt(chunk, 'sources')
  stream.tasks.set(id, {
    id,
    title: stringAt(chunk, 'title'),
    status: stringAt(chunk, 'status'),
    details: (held?.details ?? '') + stringAt(chunk, 'details'),
    output: (held?.output ?? '') + stringAt(chunk, 'output'),
    sources: sources.length > 0 ? sources : (held?.sources ?? []),
  })
}

/** All text and titles together, in bytes: more is refused (measured in openclaw/openclaw#143882). */
const mostStreamed = 10_600

function sizeOf({ parts, tasks, planTitle = '' }: Stream): number {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : ''))
  const titles = [planTitle, ...[...tasks.values()].map(({ title }) => title)]
  return Buffer.byteLength([...texts, ...titles].join(''))
}

/** Adds what a call brings, unless the stream would be too long then. */
export function addTo(world: World, stream: Stream, text: string | undefined, chunks: Json[]): boolean {
  const next = { ...stream, parts: stream.parts.map((part) => ({ ...part })), tasks: new Map(stream.tasks) }
  if (text !== undefined) addText(next, text)
  addChunks(world, next, chunks)
  if (sizeOf(next) > mostStreamed) return false
  Object.assign(stream, next)
  return true
}

function addChunks(world: World, stream: Stream, chunks: Json[]) {
  for (const chunk of chunks) {
    if (chunk.type === 'markdown_text') addText(stream, stringAt(chunk, 'text'))
    if (chunk.type === 'task_update') addTask(stream, chunk)
    if (chunk.type === 'plan_update') stream.planTitle = stringAt(chunk, 'title')
    if (chunk.type === 'blocks') {
      stream.parts.push({ kind: 'blocks', blocks: world.withIds(blocksOf(chunk.blocks)) })
    }
  }
}

const card = (task: Task): Block => ({
  ...compact({
    task_id: task.id,
    title: task.title,
    status: task.status,
    details: task.details === '' ? undefined : plainRichText(task.details),
    output: task.output === '' ? undefined : plainRichText(task.output),
    sources: task.sources.length > 0 ? task.sources : undefined,
  }),
  type: 'task_card',
})

function partBlocks(stream: Stream): Block[] {
  return stream.parts.flatMap((part) => {
    if (part.kind === 'blocks') return part.blocks
    if (part.kind === 'text') return part.text === '' ? [] : [{ type: 'markdown', text: part.text }]
    const task = stream.tasks.get(part.id)
    return task && stream.display === 'timeline' ? [card(task)] : []
  })
}

/** A plan comes before all text; cards stay where they started. */
function streamBlocks(stream: Stream): Block[] {
  const tasks = [...stream.tasks.values()]
  const planned = stream.display === 'plan' && (tasks.length > 0 || stream.planTitle !== undefined)
  const title = stream.planTitle ?? tasks[0]?.title ?? ''
  const plan = planned ? [{ type: 'plan', title, tasks: tasks.map(card) }] : []
  return [...plan, ...joined(partBlocks(stream)), ...stream.tail]
}

/** Joins text that only a task of a plan had separated. */
function joined(blocks: Block[]): Block[] {
  const done: Block[] = []
  for (const block of blocks) {
    const last = done.at(-1)
    if (block.type !== 'markdown' || last?.type !== 'markdown') done.push({ ...block })
    else last.text = stringAt(last, 'text') + stringAt(block, 'text')
  }
  return done
}

/** Turns the stream's content into the message's. */
export function showStream(world: World, message: Message) {
  const { stream } = message
  if (!stream) return
  const text = stream.parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('')
  const titles = [...stream.tasks.values()].map(({ title }) => title)
  message.text = [mrkdwnOf(text), ...titles].join(' ').trim()
  message.blocks = world.withIds(streamBlocks(stream))
}

export function endStream(slack: Slack, message: Message, state: 'completed' | 'errored', before?: Json) {
  const { stream } = message
  if (stream?.state !== 'in_progress') return
  const previous = before ?? snapshot(slack, message)
  clearTimeout(stream.timer)
  stream.state = state
  showStream(slack.world, message)
  announceChange(slack, message, previous)
  slack.world.changed()
}
