import { NumberField, Select, TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { hasHost, type Provider, PROVIDERS } from './providers.ts'

/** A server and the login at it, as they are typed. */
export interface Server {
  host: string
  port: string
  secure: 'none' | 'starttls' | 'tls'
  username: string
  password: string
}

interface Props {
  provider: Exclude<Provider, 'sandbox'>
  server: Server
  /** What is said of the password. */
  password_hint?: string
  flawOf(path: string): string | null
  change(changes: Partial<Server>): void
}

/** The fields of a server that a provider leaves open. */
export function ServerFields({ provider, server, password_hint, flawOf, change }: Props) {
  const { username, secret } = PROVIDERS[provider]
  return (
    <>
      {hasHost(provider) && (
        <TextField
          label="Host"
          required={provider === 'smtp'}
          hint={provider === 'smtp' ? undefined : 'Leave it empty for the usual one.'}
          value={server.host}
          onInput={(host) => change({ host })}
          flaw={flawOf('/host')}
        />
      )}
      {provider === 'smtp' && (
        <div class="review-fields">
          <NumberField
            label="Port"
            value={server.port}
            placeholder="587"
            onInput={(port) => change({ port })}
            flaw={flawOf('/port') && 'A port is a number from 1 to 65,535.'}
          />
          <Select
            label="Encryption"
            value={server.secure}
            onInput={(secure) => change({ secure: secure as Server['secure'] })}
            options={[
              { value: 'starttls', label: 'STARTTLS (port 587)' },
              { value: 'tls', label: 'TLS (port 465)' },
              { value: 'none', label: 'None, for a server in this network' },
            ]}
          />
        </div>
      )}
      {username !== null && (
        <TextField
          label={username}
          autocomplete="off"
          value={server.username}
          onInput={(value) => change({ username: value })}
          flaw={flawOf('/username')}
        />
      )}
      {secret !== null && (
        <PasswordField
          label={secret}
          autocomplete="new-password"
          hint={password_hint ?? 'It is stored sealed, and shown to nobody again.'}
          value={server.password}
          onInput={(password) => change({ password })}
          flaw={flawOf('/password')}
        />
      )}
    </>
  )
}
