import { RESTJSONErrorCodes as Code } from 'discord.js'
import type { Again, Reason } from '../../platform.ts'
import { discordWords } from '../words/words.ts'

export type Refusal = Reason & { again: Again }

const permit = () => discordWords.permitRemedy()
const unlock = () => discordWords.unlockRemedy()

/** The token isn't accepted, so nothing at all can be posted. */
export const ofToken = (): Refusal => ({
  again: 'repairable',
  why: discordWords.tokenRefused(),
  remedy: discordWords.tokenRefusedRemedy(),
  everywhere: true,
})

const table = new Map<number, () => Refusal>([
  [
    Code.CannotReplyWithoutPermissionToReadMessageHistory,
    () => ({ again: 'repairable', why: discordWords.historyForbidden(), remedy: permit() }),
  ],
  [Code.MissingAccess, () => ({ again: 'repairable', why: discordWords.channelHidden(), remedy: permit() })],
  [Code.MissingPermissions, () => ({ again: 'repairable', why: discordWords.permissionMissing(), remedy: permit() })],
  [
    Code.UnknownGuild,
    () => ({ again: 'repairable', why: discordWords.serverLeft(), remedy: discordWords.serverLeftRemedy() }),
  ],
  [
    Code.InvalidActionOnArchivedThread,
    () => ({ again: 'repairable', why: discordWords.threadArchived(), remedy: unlock() }),
  ],
  [Code.ThreadLocked, () => ({ again: 'repairable', why: discordWords.threadLocked(), remedy: unlock() })],
  [Code.Unauthorized, ofToken],
  [
    Code.MaximumActiveThreads,
    () => ({
      again: 'repairable',
      why: discordWords.threadLimitReached(),
      remedy: discordWords.threadLimitRemedy(),
    }),
  ],
  [
    Code.CannotSendMessagesToThisUser,
    () => ({
      again: 'repairable',
      why: discordWords.directMessagesClosed(),
      remedy: discordWords.directMessagesClosedRemedy(),
    }),
  ],
  [Code.FeatureTemporarilyDisabledServerSide, () => ({ again: 'repairable', why: discordWords.switchedOff() })],

  [
    Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
    () => ({ again: 'later', why: discordWords.editLimitReached() }),
  ],
  [Code.APIResourceOverloaded, () => ({ again: 'later', why: discordWords.discordOverloaded() })],

  [Code.UnknownChannel, () => ({ again: 'never', why: discordWords.placeGone(), gone: true })],
  // Nothing is said in a forum itself, so this was a post of it that can't be found any more.
  [Code.CannotSendAMessageInAForumChannel, () => ({ again: 'never', why: discordWords.placeGone(), gone: true })],
  [Code.UnknownMessage, () => ({ again: 'never', why: discordWords.messageGone(), isMissing: true })],
  [Code.UnknownUser, () => ({ again: 'never', why: discordWords.personGone(), gone: true })],
  [Code.RequestEntityTooLarge, () => ({ again: 'never', why: discordWords.fileTooLarge() })],
  [Code.MessageWasBlockedByAutomaticModeration, () => ({ again: 'never', why: discordWords.blockedByAutoMod() })],
])

/** What a refusal means. An unknown code is tried again if it is about permissions. */
export function refusalOf(code: number | undefined, status: number, said: string): Refusal {
  const known = table.get(code ?? -1)
  if (known !== undefined) return known()
  if (status === 401) return ofToken()
  return { again: status === 403 ? 'repairable' : 'never', why: discordWords.refusedSaid({ said }) }
}
