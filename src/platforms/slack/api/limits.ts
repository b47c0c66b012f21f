import type { Rate } from '../../calls/token-bucket.ts'

/**
 * Slack's tiers: at least 20, 50 and 100 calls a minute in the whole workspace, with bursts. More may be accepted, and
 * if not, Slack says for how long. https://docs.slack.dev/apis/web-api/rate-limits
 */
const tier2: Rate = { perMinute: 20, burst: 10 }
const tier3: Rate = { perMinute: 50, burst: 25 }
const tier4: Rate = { perMinute: 100, burst: 50 }

const tiers: Record<string, Rate> = {
  'agents.sessions.rename': tier3,
  'agents.sessions.setStatus': tier3,
  'assistant.threads.setSuggestedPrompts': tier3,
  'chat.appendStream': tier4,
  'chat.delete': tier3,
  'chat.postEphemeral': tier4,
  'chat.startStream': tier2,
  'chat.stopStream': tier2,
  'chat.update': tier3,
  'files.completeUploadExternal': tier4,
  'files.getUploadURLExternal': tier4,
}

export const limits = (method: string): Rate | undefined => tiers[method]

/**
 * Posts are limited in each channel: one message a second in the long run, with bursts of unknown length. So we just
 * post, and what Slack refuses waits as long as it says.
 */
export const isPerChannel = (method: string): boolean => method === 'chat.postMessage'
