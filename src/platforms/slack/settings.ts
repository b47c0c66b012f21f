export interface SlackSettings {
  botToken: string
  /** For Socket Mode. */
  appToken: string | undefined
  /** For requests, if there is no app token. */
  signingSecret: string | undefined
  /** The address of Slack's Web API, with a slash at the end; undefined for Slack itself. */
  apiUrl: string | undefined
  /** Where requests come in. */
  http: { host: string; port: number } | undefined
}
