/** The lock of a process that runs the engine alone. */
export const aloneName = 'engine'

export const ofNodes = 'node '

/** The lock of one of several processes: as long as it holds this, it may work. */
export const nodeName = (node: string): string => `${ofNodes}${node}`

/** Undefined for other locks. */
export const plainNodeName = (name: string): string | undefined =>
  name.startsWith(ofNodes) ? name.slice(ofNodes.length) : undefined
