import { spawn } from 'node:child_process'
import { connect, createServer, type Socket } from 'node:net'
import { constants } from 'node:os'

// Runs inside the sandbox: the network there ends at its own loopback, and the proxy outside is a socket in a folder.
// Nothing here is trusted; a command that kills this loses its network. Arguments: socket, port, command.

const [socket = '', port, program = '', ...args] = process.argv.slice(2)

const join = (one: Socket, other: Socket): void => {
  one.pipe(other)
  one.on('error', () => other.destroy())
  one.on('close', () => other.destroy())
}

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: socket, allowHalfOpen: true })
  join(near, far)
  join(far, near)
})

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' })
  child.on('error', (thrown) => {
    process.stderr.write(`${program}: ${thrown.message}\n`)
    process.exitCode = 127
    server.close()
  })
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]))
})
