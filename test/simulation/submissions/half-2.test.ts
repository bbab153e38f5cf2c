import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(601);
