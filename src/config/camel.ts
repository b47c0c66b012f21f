type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key

/** The same value with camelCase keys. */
export type Camel<Value> = Value extends (infer Item)[]
  ? Camel<Item>[]
  : Value extends object
    ? { [Key in keyof Value as CamelKey<Key & string>]: Camel<Value[Key]> }
    : Value

/** Renames snake_case keys at every level. Only for sections whose keys are ours, not the user's. */
export function camel<Value>(value: Value): Camel<Value> {
  if (Array.isArray(value)) return value.map(camel) as Camel<Value>
  if (typeof value !== 'object' || value === null) return value as Camel<Value>
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    camel(inner),
  ])
  return Object.fromEntries(entries) as Camel<Value>
}
