import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { postgresPrograms } from '../../support/postgres.ts'
import { PostgresCluster } from '../../support/postgres-cluster.ts'
import { scratch } from '../../support/store.ts'

// The tests' own server must not be what keeps them from being run, or from ending.

test('a server that ends, or does not come up in time, is told with its last words', async () => {
  const cluster = new PostgresCluster(await scratch(), { shared_buffers: 'plenty' })
  await cluster.make()
  await expect(cluster.start()).rejects.toThrow(/^PostgreSQL ended with 1\.[\s\S]*"shared_buffers": "plenty"/)

  const folder = await scratch()
  const closed = new PostgresCluster(folder)
  onTestFinished(() => closed.end('SIGQUIT'))
  await closed.make()
  await writeFile(join(folder, 'data/pg_hba.conf'), 'local all all reject\n')
  await expect(closed.start(0)).rejects.toThrow(/^PostgreSQL doesn't come up: [\s\S]*Its last words:/)
})

test('a server that somebody ended while it started is told', async () => {
  const cluster = new PostgresCluster(await scratch())
  await cluster.make()
  const starting = cluster.start()
  process.kill(cluster.pid ?? 0, 'SIGKILL')
  await expect(starting).rejects.toThrow('PostgreSQL ended with SIGKILL.')
})

test('a version before 15 is asked for no locale that it does not know', async () => {
  const programs = join(await scratch(), '14/bin')
  await mkdir(programs, { recursive: true })
  const old = `#!/bin/sh
    for word; do case $word in --locale-provider*|--icu-locale*) echo "unrecognized option '$word'" >&2; exit 1;; esac; done
    exec ${postgresPrograms}/initdb "$@"`
  await writeFile(join(programs, 'initdb'), old)
  for (const folder of [programs, join(programs, '..'), join(programs, '../..'), join(programs, 'initdb')])
    await chmod(folder, 0o755)
  await new PostgresCluster(await scratch(), {}, programs).make()
})
