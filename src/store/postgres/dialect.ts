import {
  type Dialect,
  type FunctionNode,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  ValueNode,
} from 'kysely'
import { PostgresDriver, type Server } from './driver.ts'

const adapter = new (class extends PostgresAdapter {
  /**
   * Whoever migrates has locked everything for one transaction: this would lock for a connection, which PgBouncer may
   * share.
   */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
})()

/** SQLite's functions by their names here. */
const names: Record<string, string> = {
  instr: 'strpos',
  max: 'greatest',
  json_each: 'jsonb_array_elements_text',
}

class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    if (node.func === 'json_extract') this.#field(node)
    else super.visitFunction({ ...node, func: names[node.func] ?? node.func })
  }

  /** A path such as '$.person.id'. */
  #field({ arguments: [json, path] }: FunctionNode): void {
    if (json === undefined || path === undefined || !ValueNode.is(path)) throw new Error('a field needs a path')
    this.append('(case when strpos(')
    this.visitNode(json)
    this.append(String.raw`, '\u') = 0 then `)
    this.visitNode(json)
    this.append(' else ')
    this.#readable(json)
    this.append(` end::json #>> '{${String(path.value).split('.').slice(1).join(',')}}')`)
  }

  /**
   * PostgreSQL reads no JSON in which a NUL or half a character stands somewhere. Pairs of backslashes are set aside
   * meanwhile.
   */
  #readable(json: OperationNode): void {
    this.append('replace(regexp_replace(replace(')
    this.visitNode(json)
    this.append(String.raw`, '\\', e'\x01'), '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g'), e'\x01', '\\')`)
  }
}

export const postgresDialect = (server: Server): Dialect => ({
  createDriver: () => new PostgresDriver(server),
  createAdapter: () => adapter,
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})
