import type { Comment } from '@retention-flow/client';
import { href } from '../shell/route';
import { Badge } from '../ui/badge';
import { Time } from '../ui/time';

export function CommentCard({ comment, flow }: { comment: Comment; flow: string | undefined }) {
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
