import { type FetchFunction, WebClient } from '@slack/web-api'
import { clientOptions } from '../api/api.ts'
import { slackLogger } from '../api/logger.ts'

const silent = slackLogger({ debug() {}, info() {}, warn() {}, error() {} })

/** A client, and the Date header of its last answer. */
export function clientWith(token: string, apiUrl: string | undefined) {
  const heard: { date: string | null } = { date: null }
  const fetchAndNote: FetchFunction = async (url, init) => {
    const response = await fetch(url, init)
    heard.date = response.headers.get('date')
    return response
  }
  return { client: new WebClient(token, { ...clientOptions(apiUrl, silent), fetch: fetchAndNote }), heard }
}
