import {
  type Dialect,
  type FunctionNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  ValueNode,
} from 'kysely'
import { PostgresDriver, type Server } from './driver.ts'

const adapter = new (class extends PostgresAdapter {
  /** Whoever migrates has locked everything for one transaction: this would lock for a connection, which PgBouncer may share. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
})()

/** SQLite's functions by their names here. */
const names: Record<string, string> = { instr: 'strpos', max: 'greatest' }

class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    if (node.func === 'json_extract') this.#field(node)
    else super.visitFunction({ ...node, func: names[node.func] ?? node.func })
  }

  /** A path such as '$.person.id'. */
  #field({ arguments: [json, path] }: FunctionNode): void {
    if (json === undefined || path === undefined || !ValueNode.is(path)) throw new Error('a field needs a path')
    this.append('(')
    this.visitNode(json)
    this.append(`::json #>> '{${String(path.value).split('.').slice(1).join(',')}}')`)
  }
}

export const postgresDialect = (server: Server): Dialect => ({
  createDriver: () => new PostgresDriver(server),
  createAdapter: () => adapter,
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})
