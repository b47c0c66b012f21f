import { type Logger, LogLevel } from '@slack/web-api'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'

export type SlackLogger = Logger

const said = (parts: unknown[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : reasonOf(part))).join(' ')

/** The libraries' log messages, except debug ones: those contain what people wrote, and more. */
export const slackLogger = (log: Log): SlackLogger => ({
  debug: () => {},
  info: () => {},
  warn: (...parts: unknown[]) => log.warn({ platform: 'slack' }, said(parts)),
  error: (...parts: unknown[]) => log.warn({ platform: 'slack' }, said(parts)),
  setLevel: () => {},
  getLevel: () => LogLevel.WARN,
  setName: () => {},
})
