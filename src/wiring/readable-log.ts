import { styleText } from 'node:util'
import { isRecord } from '../config/overlay.ts'
import { visible } from '../kit/text/text.ts'

type Style = Parameters<typeof styleText>[0]

const levels: Record<number, [name: string, style: Style]> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'cyan'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** A stream that people read as it comes: pino's lines go in, one object each. */
export const readableLog = (stream: NodeJS.WritableStream) => ({
  write: (line: string) => void stream.write(readable(line, (style, text) => styleText(style, text, { stream }))),
})

/** What others wrote may be in a line: whatever would move the cursor or change colours is shown by number. */
function readable(line: string, styled: (style: Style, text: string) => string): string {
  const entry = parsed(line)
  if (entry === undefined) return visible(line)
  const { level, time, msg, error, stack, ...about } = entry
  const [name, style] = levels[Number(level)] ?? ['', 'dim']
  const details = Object.entries(about).map(([key, value]) => `${key}=${textOf(value)}`)
  const head = [styled('dim', clock(Number(time))), styled(style, name.padEnd(5)), visible(textOf(msg ?? ''))]
  const rest = [...(error === undefined ? [] : [`: ${visible(textOf(error))}`])]
  const tail = details.length === 0 ? '' : `  ${styled('dim', visible(details.join(' ')))}`
  const below = typeof stack === 'string' ? `${styled('dim', visible(framesOf(stack)))}\n` : ''
  return `${head.join(' ')}${rest.join('')}${tail}\n${below}`
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Where it happened; the message is in the line above. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

function clock(ms: number): string {
  const date = new Date(ms)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
