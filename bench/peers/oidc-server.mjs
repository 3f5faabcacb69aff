// oidc-provider with its models in SQLite: `node oidc-server.mjs PORT FILE TOKENS`. Prints, once it listens, the access
// tokens and refresh tokens of so many grants.
import Database from 'libsql'
import { Provider } from 'oidc-provider'

const [port, file, count] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])]
const database = new Database(file)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE models (model TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT,
    expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id)) WITHOUT ROWID;
  CREATE INDEX models_by_grant ON models (grant_id);`)
const save = database.prepare('INSERT OR REPLACE INTO models VALUES (?, ?, ?, ?, ?, ?, NULL)')
const find = database.prepare('SELECT payload, consumed_at, expires_at FROM models WHERE model = ? AND id = ?')
const find_by_uid = database.prepare('SELECT payload, consumed_at, expires_at FROM models WHERE model = ? AND uid = ?')
const consume = database.prepare('UPDATE models SET consumed_at = ? WHERE model = ? AND id = ?')
const remove = database.prepare('DELETE FROM models WHERE model = ? AND id = ?')
const revoke = database.prepare('DELETE FROM models WHERE grant_id = ?')
const seconds = () => Math.floor(Date.now() / 1000)

function stored(row) {
  if (!row || (row.expires_at !== null && row.expires_at < seconds())) return undefined
  return { ...JSON.parse(row.payload), ...(row.consumed_at === null ? {} : { consumed: row.consumed_at }) }
}

class SqliteAdapter {
  constructor(model) {
    this.model = model
  }
  async upsert(id, payload, lasts) {
    const expires_at = lasts ? seconds() + lasts : null
    save.run(this.model, id, JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, expires_at)
  }
  async find(id) {
    return stored(find.get(this.model, id))
  }
  async findByUid(uid) {
    return stored(find_by_uid.get(this.model, uid))
  }
  async findByUserCode() {}
  async consume(id) {
    consume.run(seconds(), this.model, id)
  }
  async destroy(id) {
    remove.run(this.model, id)
  }
  async revokeByGrantId(grant_id) {
    revoke.run(grant_id)
  }
}

const SCOPE = 'openid offline_access newsletter:read'
const client_id = 'bench'
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: SqliteAdapter,
  clients: [
    {
      client_id,
      client_secret: 'bench-secret-bench-secret',
      redirect_uris: ['https://weather.example/back'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  cookies: { keys: ['bench'] },
  features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
  findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  rotateRefreshToken: true,
  scopes: SCOPE.split(' '),
  ttl: { AccessToken: 3600, RefreshToken: 86_400, Grant: 86_400, IdToken: 3600 },
})
const client = await provider.Client.find(client_id)
const access_tokens = []
const refresh_tokens = []
for (let n = 0; n < count; n++) {
  const accountId = `user${n}`
  const grant = new provider.Grant({ accountId, clientId: client_id })
  grant.addOIDCScope(SCOPE)
  const of = { accountId, client, grantId: await grant.save(), gty: 'authorization_code', scope: SCOPE }
  access_tokens.push(await new provider.AccessToken(of).save())
  refresh_tokens.push(await new provider.RefreshToken(of).save())
}
provider.listen(port, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ access_tokens, refresh_tokens })}\n`)
})
