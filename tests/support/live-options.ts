import type { LiveOptions, Posting } from '../../src/platforms/platform.ts'

/** A live message of a turn that this process has, and that nobody has begun. */
export const liveOptions = (posting: Posting, others: Partial<LiveOptions> = {}): LiveOptions => ({
  posting,
  reader: { id: 'U1', name: 'ana' },
  begin: async () => true,
  posted: async () => {},
  change: (write) => write(),
  id: undefined,
  unsure: false,
  ...others,
})
