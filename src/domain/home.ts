import type { Request } from './request.ts'

/** What a person sees of what the bot does for them, in one workspace. */
export interface HomeView {
  /** What waits in rooms that they are in, oldest first. `mine`: they may answer it. */
  waiting: { request: Request; title: string; link: string | undefined; mine: boolean }[]
  /** How many more wait than are listed. */
  more: number
  /** Their own alarms, the next one first. `id`: as people write it. `at` in ms. */
  alarms: { id: string; message: string; at: number; repeats: boolean; link: string | undefined }[]
  /** What they asked for since the first of the month, in UTC. `usd`: as far as prices are known. */
  month: { turns: number; tokens: number; usd: number }
  settings: { model: string; threads: 'all' | 'mentions'; files: number }
}
