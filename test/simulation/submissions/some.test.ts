import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(50, 1);
