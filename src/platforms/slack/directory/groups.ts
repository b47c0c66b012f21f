import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../kit/failure.ts'
import { throwOutage } from '../../../kit/unavailable.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { isCode, reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'
import type { SlackWorkspace } from './workspace.ts'

/**
 * Ids of user groups, as Slack gives them. Handles aren't looked up, since anybody who may rename a group could take
 * one.
 */
export const isGroupId = (group: string): boolean => /^S[A-Z0-9]{2,40}$/.test(group)

/** Left of the time in which Slack wants a click acknowledged, ms. */
const leftMs = 500

const tooLate = Symbol('too late')

/** Who is in Slack's user groups: asked each time, since somebody who has left must no longer count. */
export class Groups {
  readonly #slack: SlackWorkspace
  readonly #patienceMs: number
  /** Looks at the same group at the same instant are one. */
  readonly #asking = new Map<string, Promise<string[]>>()
  readonly #warned = new BoundedMap<true>(100)

  /** `ackMs`: how long Slack waits for a click's acknowledgement. */
  constructor(slack: SlackWorkspace, ackMs: number) {
    this.#slack = slack
    this.#patienceMs = ackMs - leftMs
  }

  /** Throws Failure if Slack doesn't say in time, or in an outage of our own. Only the id of a group has members. */
  async has(group: string, person: string): Promise<boolean> {
    if (!isGroupId(group)) {
      // In rules for several platforms, a number is a Discord role.
      if (!/^\d+$/.test(group)) this.#warn(group, 'this is not the id of a user group (S…): it has no members')
      return false
    }
    try {
      const members = await Promise.race([this.#members(group), sleep(this.#patienceMs, tooLate, { ref: false })])
      if (members === tooLate) throw new Error(`Slack did not answer within ${this.#patienceMs} ms`)
      return members.includes(person)
    } catch (thrown) {
      if (isCode(thrown, 'no_such_subteam')) {
        this.#warn(group, slackWords.noSuchGroup())
        return false
      }
      throwOutage(thrown)
      const reason = reasonIn(thrown)
      this.#slack.log.warn({ platform: 'slack', group, reason }, 'could not find out who is in a user group')
      throw new Failure('slack_group', slackWords.groupMembersUnknown({ group, reason }), slackWords.tryAgainRemedy(), {
        cause: thrown,
      })
    }
  }

  #members(group: string): Promise<string[]> {
    const asked = this.#asking.get(group)
    if (asked !== undefined) return asked
    const asking = this.#slack.api
      .read((client) => client.usergroups.users.list({ usergroup: group }))
      .then(({ users = [] }) => users)
      .finally(() => this.#asking.delete(group))
    this.#asking.set(group, asking)
    return asking
  }

  #warn(group: string, reason: string): void {
    if (this.#warned.has(group)) return
    this.#warned.set(group, true)
    this.#slack.log.warn({ platform: 'slack', group: group.slice(0, 80), reason }, 'a rule names an unknown group')
  }
}
