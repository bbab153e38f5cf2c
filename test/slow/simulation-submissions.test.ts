import { showsSubmissions } from '../simulation/submissions/shows-submissions.ts';

showsSubmissions(1_400, 101);
