import { type DestinationStream, type Logger, pino } from 'pino'

/** Where secrets stand, if somebody logs a whole object. */
const secrets = ['apiKey', 'api_key', 'token', 'authorization', 'cookie', 'password', 'secret']

/** One JSON object a line, to stderr: stdout is for what a person asked for. */
export function createLog(level: string, destination: DestinationStream = process.stderr): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino({ level, redact: { paths, censor: '[secret]' }, base: null }, destination)
}
