import type { SessionId } from '../../domain/ids.ts'
import type { ModelImage } from '../../kit/model/model.ts'

/** A text that a model writes aside: outside of turns. `tool`: the tool that its cost counts for. */
export interface AsideOrder {
  system: string
  text: string
  tool: string
  /** With these, the model for images writes it. */
  images?: ModelImage[]
}

/**
 * Vectors of unit length for texts, in their order, by the embedding model. What they cost counts for the session, and
 * for `tool`. Throws ModelFailure, also when a budget is used up.
 */
export type Embed = (
  session: SessionId,
  order: { texts: readonly string[]; tool: string },
  signal: AbortSignal,
) => Promise<Float32Array[]>
