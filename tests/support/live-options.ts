import type { LiveOptions, Posting } from '../../src/platforms/platform.ts'

/** Options for a live message of this process's turn that nothing has been posted for. */
export const liveOptions = (posting: Posting, others: Partial<LiveOptions> = {}): LiveOptions => ({
  posting,
  reader: { id: 'U1', name: 'ana' },
  title: 'What is asked',
  begin: async () => true,
  posted: async () => {},
  change: (write) => write(),
  id: undefined,
  unsure: false,
  ...others,
})
