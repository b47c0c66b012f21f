export interface SlackSettings {
  botToken: string
  /** For Socket Mode. */
  appToken: string | undefined
  /** For requests, where there is no app token. */
  signingSecret: string | undefined
  /** Where Slack's Web API is, with a slash at the end; Slack itself when undefined. */
  apiUrl: string | undefined
  /** Where requests come in. */
  http: { host: string; port: number } | undefined
}
