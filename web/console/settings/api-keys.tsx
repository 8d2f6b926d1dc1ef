import type { ApiKey } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Confirm } from '../ui/dialog';
import { MoreOf, usePages } from '../ui/pages';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { Table } from '../ui/table';
import { ends, stateOf } from './api-key';
import { NewApiKey } from './new-api-key';

export function ApiKeys() {
  const { client, isOwner, actor, end } = useSession();
  const list = usePages(async (cursor, signal) => {
    const { api_keys, next_cursor } = await client.apiKeys.list({ cursor, limit: 50 }, { signal });
    return { items: api_keys, next_cursor };
  }, []);
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();

  const revoke = async ({ id, name }: ApiKey) => {
    await client.apiKeys.revoke(id);
    if (id === actor.id) return end('You revoked the key that you were signed in with.');
    toast(`${name} is revoked.`);
    list.reload();
  };

  return (
    <section class="settings-section" aria-labelledby="api-keys-heading">
      <div class="card-head">
        <div>
          <h2 id="api-keys-heading">API keys</h2>
          <p class="soft">Your backend asks with one. People sign in as themselves.</p>
        </div>
        {isOwner && (
          <button type="button" class="quiet" onClick={() => setIsCreating(true)}>
            New API key
          </button>
        )}
      </div>
      <Table
        label="Table of API keys"
        caption="API keys, newest first"
        columns={['Key', 'Access', 'State', 'Last used', 'Created', isOwner && { name: 'Change', isUnseen: true }]}
      >
        {list.pages.map((keys) => (
          <tbody key={keys[0]?.id}>
            {keys.map((key) => (
              <tr key={key.id}>
                <td class="named">
                  {key.name} {key.id === actor.id && <span class="badge calm">You are signed in with it</span>}
                  <code class="soft">{ends(key)}</code>
                </td>
                <td class="short">{key.access === 'read' ? 'Read only' : 'Read and change'}</td>
                <td>
                  <Badge status={stateOf(key, Date.now())} />
                  {key.expires_at && (
                    <p class="soft short">
                      Expires <Time value={key.expires_at} />
                    </p>
                  )}
                </td>
                <td class="short">{key.last_used_at ? <Time value={key.last_used_at} /> : 'Never'}</td>
                <td class="short">
                  <Time value={key.created_at} />
                </td>
                {isOwner && (
                  <td>
                    {key.revoked_at === null && (
                      <button
                        type="button"
                        class="quiet small"
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => setRevoked(key)}
                      >
                        Revoke
                      </button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
      <MoreOf list={list} />
      {isCreating && <NewApiKey onCreated={list.reload} onClose={() => setIsCreating(false)} />}
      {revoked && (
        <Confirm
          title="Revoke this API key?"
          verb="Revoke"
          isDangerous
          onConfirm={() => revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          <p class="named">
            <strong>{revoked.name}</strong> <code>{ends(revoked)}</code>
          </p>
          {revoked.id === actor.id ? (
            <p>You are signed in with this key, and will be signed out. Whoever else uses it is refused at once.</p>
          ) : (
            <p>Programs and people that use it are refused at once.</p>
          )}
          <p>A revoked key cannot be used again.</p>
        </Confirm>
      )}
    </section>
  );
}
