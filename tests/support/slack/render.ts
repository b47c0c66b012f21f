import { type Block, blocksOf, isObject, type Json, listAt, objectAt, stringAt } from './json.ts'
import { plainOf, unescapeText } from './rich-text.ts'
import type { Message } from './types.ts'

export interface Control {
  type: string
  label: string
  action_id: string
  block_id: string
  value: string
  /** Of a menu. */
  options: { label: string; value: string }[]
  element: Json
}

export interface Shown {
  ts: string
  thread_ts: string | undefined
  user: string | undefined
  bot: boolean
  /** The text of its blocks, or else its own text. */
  text: string
  blocks: Block[]
  buttons: Control[]
  /** Menus, check boxes and the like. */
  menus: Control[]
  files: { id: string; name: string; content: Buffer }[]
  reactions: { name: string; users: string[] }[]
  edited: boolean
  streaming: boolean
  ephemeralTo: string | undefined
  metadata: Json | undefined
}

const label = (value: Json, key = 'text') => stringAt(objectAt(value, key), 'text')

const marks: Record<string, string> = { pending: '○', in_progress: '◐', complete: '✓', error: '✗' }

function taskText(task: Json): string {
  const notes = [objectAt(task, 'details'), objectAt(task, 'output')].map(plainOf).filter((one) => one !== '')
  return [`${marks[stringAt(task, 'status')] ?? '?'} ${stringAt(task, 'title')}`, ...notes].join('\n  ')
}

const rowsText = (block: Json): string =>
  (Array.isArray(block.rows) ? block.rows : [])
    .map((row: unknown) => (Array.isArray(row) ? row : []).filter(isObject).map(cellText).join(' | '))
    .join('\n')

const cellText = (cell: Json): string => (cell.type === 'rich_text' ? plainOf(cell) : stringAt(cell, 'text'))

/** The control's label in brackets, so that it shows in the rendered text. */
const elementText = (element: Json): string => {
  if (element.type === 'image') return `(${stringAt(element, 'alt_text')})`
  if (element.type === 'mrkdwn' || element.type === 'plain_text') return unescapeText(stringAt(element, 'text'))
  const named = controlsOf(element, '').map((one) => `[${one.label}]`)
  return named.join(' ')
}

function blockText(block: Json): string {
  switch (block.type) {
    case 'rich_text':
      return plainOf(block)
    case 'markdown':
      return stringAt(block, 'text')
    case 'divider':
      return '---'
    case 'section': {
      const fields = listAt(block, 'fields').map((field) => unescapeText(stringAt(field, 'text')))
      const accessory = isObject(block.accessory) ? elementText(block.accessory) : ''
      return [unescapeText(label(block)), ...fields, accessory].filter((one) => one !== '').join('\n')
    }
    case 'actions':
    case 'context':
    case 'context_actions':
      return listAt(block, 'elements').map(elementText).join(' ')
    case 'input':
      return `${label(block, 'label')}: ${elementText(objectAt(block, 'element'))}`
    case 'table':
    case 'data_table':
      return [stringAt(block, 'caption'), rowsText(block)].filter((one) => one !== '').join('\n')
    case 'task_card':
      return taskText(block)
    case 'plan':
      return [stringAt(block, 'title'), ...listAt(block, 'tasks').map(taskText)].join('\n')
    case 'card':
      return [label(block, 'title'), label(block, 'subtitle'), label(block, 'body')]
        .concat(listAt(block, 'actions').map(elementText))
        .filter((one) => one !== '')
        .join('\n')
    case 'carousel':
      return listAt(block, 'elements').map(blockText).join('\n')
    case 'container':
      return [label(block, 'title'), label(block, 'subtitle'), renderBlocks(blocksOf(block.child_blocks))]
        .filter((one) => one !== '')
        .join('\n')
    case 'image':
      return `(${stringAt(block, 'alt_text')})`
    default:
      return unescapeText(label(block))
  }
}

/** Plain text, block under block. */
export const renderBlocks = (blocks: Json[]): string => blocks.map(blockText).join('\n')

function controlsOf(element: Json, blockId: string): Control[] {
  const named = (text: string, value: string): Control => ({
    type: stringAt(element, 'type'),
    label: text,
    action_id: stringAt(element, 'action_id'),
    block_id: blockId,
    value,
    options: [],
    element,
  })
  if (element.type === 'feedback_buttons') {
    return ['positive_button', 'negative_button'].map((key) => {
      const one = objectAt(element, key)
      return named(label(one), stringAt(one, 'value'))
    })
  }
  if (['image', 'mrkdwn', 'plain_text'].includes(stringAt(element, 'type'))) return []
  const groups = listAt(element, 'option_groups').flatMap((group) => listAt(group, 'options'))
  const options = [...listAt(element, 'options'), ...groups].map((one) => ({
    label: label(one),
    value: stringAt(one, 'value'),
  }))
  const shown = label(element) || label(element, 'placeholder') || stringAt(element, 'type')
  return [{ ...named(shown, stringAt(element, 'value')), options }]
}

/** All controls in the blocks, in order. */
export function controlsIn(blocks: Json[]): Control[] {
  return blocks.flatMap((block) => {
    const inner = [
      ...(['actions', 'context_actions'].includes(stringAt(block, 'type')) ? listAt(block, 'elements') : []),
      ...(isObject(block.accessory) ? [block.accessory] : []),
      ...(isObject(block.element) ? [block.element] : []),
      ...(block.type === 'card' ? listAt(block, 'actions') : []),
    ]
    const cards = block.type === 'carousel' ? controlsIn(listAt(block, 'elements')) : []
    const children = controlsIn(listAt(block, 'child_blocks'))
    const own = inner.flatMap((element) => controlsOf(element, stringAt(block, 'block_id')))
    return [...own, ...cards, ...children]
  })
}

const buttonTypes = new Set(['button', 'feedback_buttons', 'icon_button', 'workflow_button'])

/** A message as a person sees it, with what its blocks and attachments hold. */
export function shownMessage(message: Message): Shown {
  const attached = message.attachments.flatMap((one) => blocksOf(one.blocks))
  const blocks = [...message.blocks, ...attached]
  const controls = controlsIn(blocks)
  return {
    ts: message.ts,
    thread_ts: message.threadTs,
    user: message.user,
    bot: message.bot !== undefined,
    text: blocks.length > 0 ? renderBlocks(blocks) : unescapeText(message.text),
    blocks: message.blocks,
    buttons: controls.filter(({ type }) => buttonTypes.has(type)),
    menus: controls.filter(({ type }) => !buttonTypes.has(type)),
    files: message.files.filter(({ deleted }) => !deleted).map(({ id, name, content }) => ({ id, name, content })),
    reactions: message.reactions.map(({ name, users }) => ({ name, users: [...users] })),
    edited: message.edited !== undefined,
    streaming: message.stream?.state === 'in_progress',
    ephemeralTo: message.ephemeralTo,
    metadata: message.metadata,
  }
}
