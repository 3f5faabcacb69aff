// Sends one letter to many people with nodemailer's pool: `node nodemailer-sender.mjs` reads what to send from standard
// input and prints what it took.
import { readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'

const { port, connections, messages, subject, html, text, dkim } = JSON.parse(readFileSync(0, 'utf8'))
const pool = nodemailer.createTransport({
  host: '127.0.0.1',
  port,
  pool: true,
  maxConnections: connections,
  maxMessages: Infinity,
  ignoreTLS: true,
  ...(dkim ? { dkim } : {}),
})

async function sendFrom(first, count) {
  let next = first
  const lane = async () => {
    while (next < first + count) {
      const n = next++
      await pool.sendMail({
        from: 'Harbour News <news@harbour.example>',
        to: `p${n}@example.com`,
        subject: subject.replaceAll('{name}', `First${n}`),
        html: html.replaceAll('{name}', `First${n}`),
        text: text.replaceAll('{name}', `First${n}`),
      })
    }
  }
  await Promise.all(Array.from({ length: connections * 2 }, lane))
}

await sendFrom(0, Math.min(500, messages))
const [cpu, begun] = [process.cpuUsage(), performance.now()]
await sendFrom(0, messages)
const seconds = (performance.now() - begun) / 1000
const { user, system } = process.cpuUsage(cpu)
const megabytes = process.memoryUsage.rss() / 1e6
process.stdout.write(JSON.stringify({ requests: messages, seconds, cpu_seconds: (user + system) / 1e6, megabytes }))
process.exit(0)
