import { own, serviceUrl } from './dom';
import { define, RetentionFlowElement, serviceOf } from './element';
import { onClick } from './links';

/** The entry of the classic script. A page may have it twice. */
RetentionFlowElement.api = serviceOf(serviceUrl(own(document, 'currentScript')!.getAttribute('src')!));
const defined = define();
if (!defined.hasLinks) {
  defined.hasLinks = true;
  addEventListener('click', onClick, true);
}
