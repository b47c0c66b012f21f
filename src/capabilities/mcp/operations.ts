import { z } from 'zod'
import type { Operation } from '../../turn/port/operation.ts'

const notFound = { 404: 'No such server' }
const fails = { 502: 'It can’t be used, and why' }
const change = (action: string, summary: string): Operation => ({
  path: `/mcp/servers/{name}/${action}`,
  method: 'post',
  summary,
  answers: { 200: 'How it is now', ...notFound, ...fails },
})

/** The operations of routes.ts. */
export const mcpOperations: readonly Operation[] = [
  { path: '/mcp/servers', method: 'get', summary: 'The MCP servers and how they are', answers: { 200: 'servers' } },
  {
    path: '/mcp/servers',
    method: 'post',
    summary: 'Adds a server at an address, with its other settings',
    body: z.looseObject({ name: z.string(), url: z.url() }),
    answers: { 201: 'The server', 409: 'There is one of this name' },
  },
  {
    path: '/mcp/servers/{name}',
    method: 'get',
    summary: 'How a server is',
    answers: { 200: 'The server', ...notFound },
  },
  {
    path: '/mcp/servers/{name}',
    method: 'delete',
    summary: 'Removes a server that was added',
    answers: { 204: 'Removed', ...notFound, 409: 'It is in the configuration' },
  },
  { path: '/mcp/servers/{name}/tools', method: 'get', summary: 'Its tools', answers: { 200: 'tools', ...notFound } },
  change('test', 'Starts it and says hello'),
  change('start', 'Starts it'),
  change('stop', 'Stops it until a tool is called'),
  {
    path: '/mcp/servers/{name}/call',
    method: 'post',
    summary: 'Calls a tool by hand',
    body: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
    answers: { 200: 'Its result', ...notFound, ...fails },
  },
]
