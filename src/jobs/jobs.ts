import type { JobId } from '../domain/ids.ts'
import { abandonedJobs, claimJob, dueJobs, heldJobs, jobsHeldBy, type StoredJob, wakePutOff } from '../store/jobs.ts'
import type { JobKind } from './kind.ts'
import { endFromTheLeaves, type Run } from './leaves.ts'
import { type RunDeps, retryAll, runJob } from './run-job.ts'
import { jobsWords } from './words.ts'

export interface JobsOptions extends RunDeps {
  /** Identifies this process in the rows it holds. */
  holder: string
}

/**
 * Work that outlives a step: started in a transaction, run after it, continued after a crash, ended with its owner. One
 * process runs a job at a time; one that was frozen can't write any of it.
 */
export class Jobs {
  readonly #options: JobsOptions
  readonly #runs = new Map<JobId, Run>()
  readonly #leaving = new AbortController()
  #kinds = new Map<string, JobKind>()
  #looking: Promise<void> | undefined
  #again = false
  /** How often a claim's answer was lost or an end couldn't be stored, so that it may hold what it doesn't run. */
  #doubts = 0
  #cleared = 0

  constructor(options: JobsOptions) {
    this.#options = options
  }

  /** Begins to run jobs. Those that a dead process was running count as failed once more. */
  async run(kinds: readonly JobKind[]): Promise<void> {
    const { store } = this.#options
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    await store.transaction(wakePutOff)
    await this.takeOver()
    store.whenJobs(() => this.#wake())
    this.#wake()
  }

  /** What processes that are gone were running is tried again. */
  async takeOver(): Promise<void> {
    const { store, holder } = this.#options
    // Until the kinds are known, so isn't how often they are retried.
    if (this.#kinds.size === 0) return
    await retryAll(await abandonedJobs(store.db, holder), jobsWords.processEnded(), this.#kinds, this.#options)
  }

  /** What this process holds without running it, nobody else would run. */
  async #retryUnknown(): Promise<void> {
    const { store, holder } = this.#options
    const doubts = this.#doubts
    if (doubts === this.#cleared) return
    const unknown = (await jobsHeldBy(store.db, holder)).filter(({ id }) => !this.#runs.has(id))
    await retryAll(unknown, jobsWords.notStored(), this.#kinds, this.#options)
    this.#cleared = doubts
  }

  /** Aborts running jobs; the next process continues them. */
  async stop(): Promise<void> {
    this.#leaving.abort(new DOMException('The bot is stopping.', 'AbortError'))
    await this.#looking
    await Promise.all([...this.#runs.values()].map(({ done }) => done))
  }

  /** Whether any run here. They have to end when their owner does. */
  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** Looks for due jobs, in case a wake was lost. Resolves when it has looked. */
  async look(): Promise<void> {
    this.#wake()
    await this.#looking
  }

  #wake(): void {
    if (this.#leaving.signal.aborted || this.#kinds.size === 0) return
    this.#again = true
    this.#looking ??= this.#look()
      .catch(this.#options.report('jobs could not be looked for'))
      .finally(() => {
        this.#looking = undefined
        if (this.#again) this.#wake()
      })
  }

  async #look(): Promise<void> {
    while (this.#again && !this.#leaving.signal.aborted) {
      this.#again = false
      await this.#endLost()
      await this.#retryUnknown()
      while (await this.#beginDue());
    }
  }

  async #beginDue(): Promise<boolean> {
    const { store, clock, holder } = this.#options
    const free = [...this.#kinds.values()].filter((kind) => this.#hasRoom(kind)).map(({ name }) => name)
    let begun = false
    for (const { id, kind: name } of await dueJobs(store.db, clock.now(), free)) {
      const kind = this.#kinds.get(name)
      if (kind === undefined || !this.#hasRoom(kind) || this.#leaving.signal.aborted) continue
      const claimed = store.transaction((tx) => claimJob(tx, id, holder))
      claimed.catch(() => this.#doubts++)
      const job = await claimed
      if (job === undefined) continue
      this.#begin(kind, job)
      begun = true
    }
    return begun
  }

  #hasRoom({ name, atOnce = 1 }: JobKind): boolean {
    return [...this.#runs.values()].filter(({ job }) => job.kind === name).length < atOnce
  }

  #begin(kind: JobKind, job: StoredJob): void {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#leaving.signal])
    const done = runJob(kind, job, signal, this.#options).then((isStored) => {
      if (!isStored) this.#doubts++
      if (this.#runs.get(job.id)?.job === job) this.#runs.delete(job.id)
      this.#wake()
    })
    this.#runs.set(job.id, { job, abort, done, ending: false })
  }

  async #endLost(): Promise<void> {
    const { store } = this.#options
    const runs = [...this.#runs.values()].filter(({ ending }) => !ending)
    const leases = runs.map(({ job }) => job)
    const held = await heldJobs(store.db, leases)
    const lost = runs.filter(({ job }) => !held.has(job.id))
    for (const run of lost) run.ending = true
    void endFromTheLeaves(lost)
  }
}
