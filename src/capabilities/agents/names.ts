/** The tools that hand a thread over, and the one that gives it back. */
const transferTo = 'transfer_to_'
export const transferBack = 'transfer_back'

export const transferOf = (agent: string): string => `${transferTo}${agent}`

export const isHandOver = (tool: string): boolean => tool === transferBack || tool.startsWith(transferTo)

export const agentOfTransfer = (tool: string): string | undefined =>
  tool.startsWith(transferTo) ? tool.slice(transferTo.length) : undefined
