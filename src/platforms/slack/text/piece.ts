import type { Block, KnownBlock } from '@slack/types'

/** Something that stands between record and buttons. */
export type Piece = { kind: 'markdown'; text: string } | { kind: 'block'; block: KnownBlock | Block }
