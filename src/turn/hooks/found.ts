import type { Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { latestMade } from '../../kit/latest-made.ts'
import type { ProjectRef } from '../../store/sessions.ts'
import type { Capability } from '../port/capability.ts'
import type { Services } from '../port/scope.ts'
import { turnWords } from '../port/words.ts'
import type { HookCaller } from './hook-caller.ts'

type List = readonly Tool[]

/** For how many places at once it keeps what capabilities have found. */
const mostPlaces = 50

/** Always the same list, as `found` has to return. */
const none: List = []

/** The tools that capabilities find while they run. Each name is there once, since endpoints refuse it twice. */
export class Found {
  readonly #caller: HookCaller
  /** Those whose `found` threw the last time. */
  readonly #failing = new Set<Capability>()
  /** What was reported as left out. */
  readonly #told = new Set<string>()
  readonly #madeOf = latestMade<List[]>(mostPlaces)

  constructor(caller: HookCaller) {
    this.#caller = caller
  }

  /** A list for each capability that finds any: for the threads there, or all that there are. */
  by(bot: Services, where?: ProjectRef): Map<Capability, List> {
    const finders = this.#caller.withHook('found')
    const lists = finders.map((one) => this.#ask(one, bot, where))
    const made = this.#madeOf(lists, () => this.#once(finders, lists))
    return new Map(finders.map((one, place) => [one, made[place] ?? none]))
  }

  /** Asked many times in each step, so an error is reported once until it works again. */
  #ask(capability: Capability, bot: Services, where?: ProjectRef): List {
    try {
      const found = capability.found?.(bot, where) ?? none
      this.#failing.delete(capability)
      return found
    } catch (thrown) {
      if (!this.#failing.has(capability)) this.#caller.report(capability.name, 'found', thrown)
      this.#failing.add(capability)
      return none
    }
  }

  /** The first that brings a name has it. */
  #once(finders: readonly Capability[], lists: readonly List[]): List[] {
    const taken = new Set(this.#caller.list.flatMap(({ tools = [] }) => tools.map(({ name }) => name)))
    return lists.map((list, place) => {
      const left = list.filter(({ name }) => {
        const isNew = !taken.has(name)
        if (!isNew) this.#tell(finders[place]?.name ?? '', name)
        taken.add(name)
        return isNew
      })
      return left.length === list.length ? list : left
    })
  }

  #tell(capability: string, tool: string): void {
    const what = `${capability} ${tool}`
    if (this.#told.has(what)) return
    this.#told.add(what)
    const fact = turnWords.foundNameTaken({ tool })
    this.#caller.report(capability, 'found', new Failure('bad_plugin', fact, turnWords.foundNameTakenRemedy()))
  }
}
