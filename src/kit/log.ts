/** One line for whoever runs the bot. `about` holds ids and reasons, never secrets or what people said. */
type Line = (about: object, what: string) => void

export interface Log {
  debug: Line
  info: Line
  warn: Line
  error: Line
}
