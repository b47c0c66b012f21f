import { Failure } from '../../../kit/failure.ts'
import { slackWords } from '../words/words.ts'
import type { SlackApi } from './api.ts'
import { codeOf, reasonIn, tokenTrouble } from './errors.ts'

/** Who the bot is, and where it is installed. */
export interface Identity {
  team: string
  userId: string
  botId: string
  name: string
  /** Of the workspace, with a slash at the end. */
  url: string
}

/** Asks Slack who we are. Throws Failure if the token isn't valid. */
export async function identify(api: SlackApi): Promise<Identity> {
  try {
    const me = await api.once((client) => client.auth.test())
    return {
      team: me.team_id ?? '',
      userId: me.user_id ?? '',
      botId: me.bot_id ?? '',
      name: me.user ?? 'bot',
      url: me.url ?? 'https://slack.com/',
    }
  } catch (thrown) {
    if (codeOf(thrown) === undefined) {
      throw new Failure(
        'slack_unreachable',
        slackWords.slackUnreachable({ thrown: reasonIn(thrown) }),
        slackWords.checkNetworkRemedy(),
        {
          cause: thrown,
        },
      )
    }
    const trouble = tokenTrouble(thrown)
    throw new Failure(
      'slack_bot_token',
      slackWords.botTokenRefused({ why: trouble?.why ?? reasonIn(thrown) }),
      trouble === undefined ? 'Run `npm run bobbin -- doctor`.' : `${trouble.remedy}.`,
      { cause: thrown },
    )
  }
}
