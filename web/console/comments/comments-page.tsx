import type { Comment, RetentionFlow } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Download } from '../ui/download';
import { Empty } from '../ui/empty';
import { asked, filtersOf } from '../ui/filters';
import { useFlowNames } from '../ui/flow-names';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { Time } from '../ui/time';
import { CommentFilters, FILTERS } from './comment-filters';

const PER_PAGE = 50;

/** What the service takes. The address may say anything: it refuses what it does not know. */
type ListCommentsQuery = NonNullable<Parameters<RetentionFlow['comments']['list']>[0]>;

export function CommentsPage({ query }: PageProps) {
  const { client } = useSession();
  const filters = filtersOf(query, FILTERS);
  const wanted = asked(filters) as ListCommentsQuery;
  const flows = useFlowNames();
  const list = usePages(
    async (cursor, signal) => {
      const { comments, next_cursor } = await client.comments.list(
        { ...wanted, limit: PER_PAGE, ...(cursor && { cursor }) },
        { signal },
      );
      return { items: comments, next_cursor };
    },
    [query.toString()],
  );
  const isFiltered = Object.keys(filters).length > 0;
  const isEmpty = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);
  return (
    <Page
      title="Comments"
      actions={<Download name="comments.csv" load={(signal) => client.comments.csv(wanted, { signal })} />}
    >
      <CommentFilters filters={filters} flows={flows} />
      {isEmpty ? (
        <Empty title={isFiltered ? 'No comment fits these filters' : 'No comments yet'}>
          {isFiltered ? (
            <a href={href('/comments')}>Show all comments</a>
          ) : (
            <p>What customers write with their answers is shown here.</p>
          )}
        </Empty>
      ) : (
        <ul class="comments" aria-label="Comments">
          {list.pages.flat().map((comment, index) => (
            <CommentCard key={index} comment={comment} flow={flows?.get(comment.flow_id)} />
          ))}
        </ul>
      )}
      <MoreOf list={list} />
    </Page>
  );
}

function CommentCard({ comment, flow }: { comment: Comment; flow: string | undefined }) {
  return (
    <li class="card comment">
      <p class="comment-text">{comment.comment}</p>
      <div class="comment-about">
        <strong>{comment.own_labels.join(' · ')}</strong>
        <Badge status={comment.status} />
        {comment.customer_id !== null && (
          <a href={href('/sessions', { search: comment.customer_id })}>{comment.customer_id}</a>
        )}
        {flow !== undefined && <span>{flow}</span>}
        <Time value={comment.created_at} />
        <a href={href(`/sessions/${comment.flow_session_id}`)}>Session</a>
      </div>
    </li>
  );
}
