import bolt from '@slack/bolt'
import OpenAI from 'openai'

// The minimum cost of a Slack bot: bolt and the model's client, without storage, threads or recovery.

const openai = new OpenAI({ baseURL: process.env.MODEL_BASE_BASE_URL, apiKey: 'none' })
const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
  logLevel: bolt.LogLevel.ERROR,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  installerOptions: { clientOptions: { slackApiUrl: process.env.SLACK_API_URL } },
})
app.event('app_mention', async ({ event, client }) => {
  const messages = [{ role: 'user' as const, content: event.text }]
  let text = ''
  for await (const { choices } of await openai.chat.completions.create({ model: 'bench', messages, stream: true }))
    text += choices[0]?.delta?.content ?? ''
  await client.chat.postMessage({ channel: event.channel, thread_ts: event.thread_ts ?? event.ts, text })
})
await app.start()
process.stdout.write('ready http://127.0.0.1\n')
