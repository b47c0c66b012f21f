import { type DestinationStream, type Logger, pino } from 'pino'
import { readableLog } from './readable-log.ts'

/** Properties that contain secrets, in case somebody logs a whole object. */
const secrets = ['apiKey', 'api_key', 'token', 'authorization', 'cookie', 'password', 'secret']

/**
 * One JSON object a line, to stderr: stdout is for what a person asked for. On a terminal, lines that people can read.
 * `mask` removes secrets.
 */
export function createLog(
  level: string,
  mask: (text: string) => string = (text) => text,
  destination: DestinationStream = process.stderr.isTTY ? readableLog(process.stderr) : process.stderr,
): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const hooks = { streamWrite: mask }
  return pino({ level, redact: { paths, censor: '[secret]' }, base: null, hooks }, destination)
}
