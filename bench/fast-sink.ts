/** A sink for benchmarks: takes every message at once and keeps none. Run as a process of its own; prints its port. */

interface State {
  pending: string
  inContent: boolean
  taken: number
}

let taken = 0
const server = Bun.listen<State>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { pending: '', inContent: false, taken: 0 }
      socket.write('220 sink\r\n')
    },
    data(socket, bytes) {
      const state = socket.data
      let text = state.pending + bytes.toString('latin1')
      let answers = ''
      for (;;) {
        if (state.inContent) {
          const end = text.indexOf('\r\n.\r\n')
          if (end < 0) break
          text = text.slice(end + 5)
          state.inContent = false
          taken++
          answers += '250 2.0.0 taken\r\n'
          continue
        }
        const end = text.indexOf('\r\n')
        if (end < 0) break
        const verb = text.slice(0, 4).toUpperCase()
        text = text.slice(end + 2)
        if (verb === 'DATA') {
          state.inContent = true
          answers += '354 go on\r\n'
        } else if (verb === 'EHLO') answers += '250-sink\r\n250 PIPELINING\r\n'
        else if (verb === 'QUIT') answers += '221 bye\r\n'
        else answers += '250 ok\r\n'
      }
      // A long content is kept only as far as its end may be hidden in it.
      state.pending = state.inContent && text.length > 8 ? text.slice(-8) : text
      if (answers) socket.write(answers)
    },
  },
})

process.stdout.write(`${server.port}\n`)
process.on('SIGTERM', () => {
  process.stderr.write(`taken ${taken}\n`)
  process.exit(0)
})
