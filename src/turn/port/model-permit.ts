import type { CallId } from '../../domain/ids.ts'
import type { Json } from '../../kit/json.ts'
import type { Model, PaidSlot, Price } from '../../kit/model/model.ts'

/** A model that is about to be asked. */
export interface ModelCall {
  slot: PaidSlot
  model: Pick<Model, 'name' | 'outputLimit'>
  price: Price | undefined
  /** Characters of the request, without its images. */
  characters(): number
  images: number
}

/** Whether a model may be asked: yes; after tools, such as a question to people, have been called first; or no. */
export type ModelPermit =
  /** `reserve`: what was reserved for it, which the reply settles. */
  | { kind: 'go'; reserve?: string }
  /** `asksConsent`: the call asks people whether the model may be asked. */
  | { kind: 'call'; calls: readonly CallInPlace[]; asksConsent?: boolean }
  /** The turn ends with this text. */
  | { kind: 'stop'; text: string }

/** A call that is made in the model's place. `id`: for one that has to be found again after a crash; used only once. */
export interface CallInPlace {
  id?: CallId
  tool: string
  input: Json
}
