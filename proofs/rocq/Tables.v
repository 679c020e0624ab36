(** * Tables: the definitions shared by all the proofs

    A table is an r x s matrix of natural numbers.  Two clusterings of n objects, one with r and one
    with s clusters, give a table: its entry (i,j) counts the objects in cluster i of the first and
    cluster j of the second.  Here are the margins of a table, the class of the tables with total n and
    no empty row or column, the best matching, the two distances (Rand and misclassification error),
    the adjusted Rand distance, and the link between tables and labelings of the objects. *)

From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition table (r s : nat) := 'I_r -> 'I_s -> nat.

(* ------------------------------------------------------------------ *)
(** ** Margins and the class of tables *)

Section Sums.
Variables (r s : nat).
Implicit Type x : table r s.

Definition row_sum x i := \sum_(j < s) x i j.
Definition col_sum x j := \sum_(i < r) x i j.
Definition total x := \sum_(i < r) \sum_(j < s) x i j.
Definition squares x := \sum_(i < r) \sum_(j < s) x i j ^ 2.

(* the class: total n, no empty row, no empty column *)
Definition in_class (n : nat) x :=
  [/\ total x = n, forall i, 0 < row_sum x i & forall j, 0 < col_sum x j].

Definition transpose x : table s r := fun j i => x i j.
End Sums.

Section SumFacts.
Variables (r s : nat).
Implicit Type x : table r s.

Lemma total_rows x : total x = \sum_(i < r) row_sum x i.
Proof. by []. Qed.

Lemma total_transpose x : total (transpose x) = total x.
Proof. by rewrite /total exchange_big. Qed.

Lemma total_cols x : total x = \sum_(j < s) col_sum x j.
Proof. by rewrite -total_transpose. Qed.

Lemma row_sum_transpose x : row_sum (transpose x) = col_sum x. Proof. by []. Qed.
Lemma col_sum_transpose x : col_sum (transpose x) = row_sum x. Proof. by []. Qed.

Lemma squares_transpose x : squares (transpose x) = squares x.
Proof. by rewrite /squares exchange_big. Qed.

Lemma in_class_transpose n x : in_class n x -> in_class n (transpose x).
Proof. by case=> t R C; split; [rewrite total_transpose | exact: C | exact: R]. Qed.

Lemma entry_le_row x i j : x i j <= row_sum x i.
Proof. by rewrite /row_sum (bigD1 j) //= leq_addr. Qed.

Lemma entry_le_col x i j : x i j <= col_sum x j.
Proof. by rewrite /col_sum (bigD1 i) //= leq_addr. Qed.

Lemma total_le_squares x : total x <= squares x.
Proof. by apply: leq_sum => i _; apply: leq_sum => j _; apply: leq_square. Qed.

Lemma squares_le_rows x : squares x <= \sum_(i < r) row_sum x i ^ 2.
Proof. by apply: leq_sum => i _; apply: sum_squares_le. Qed.
End SumFacts.

Lemma squares_le_cols r s (x : table r s) : squares x <= \sum_(j < s) col_sum x j ^ 2.
Proof. by rewrite -squares_transpose; apply: squares_le_rows. Qed.

(* ------------------------------------------------------------------ *)
(** ** The number of separated pairs

    F2 counts the ordered pairs of objects that are together in exactly one of the two clusterings: twice
    the number F of such pairs.  It is n(n-1) times the Rand distance, and the quadratic form of the rook's
    graph (cells are adjacent when they share a row or a column, not both). *)

(* the subtraction never truncates, see [F_exact] *)
Definition F2 r s (x : table r s) : nat :=
  \sum_(i < r) row_sum x i ^ 2 + \sum_(j < s) col_sum x j ^ 2 - 2 * squares x.

Lemma F_exact r s (x : table r s) :
  F2 x + 2 * squares x = \sum_(i < r) row_sum x i ^ 2 + \sum_(j < s) col_sum x j ^ 2.
Proof. by have := squares_le_rows x; have := squares_le_cols x; rewrite /F2; lia. Qed.

Lemma F_transpose r s (x : table r s) : F2 (transpose x) = F2 x.
Proof. by rewrite /F2 squares_transpose addnC. Qed.

Lemma eq_F r s (x y : table r s) : (forall i j, x i j = y i j) -> F2 x = F2 y.
Proof.
move=> e; rewrite /F2 /squares /row_sum /col_sum.
by congr (_ + _ - 2 * _); apply: eq_bigr => i _;
   [congr (_ ^ _) | congr (_ ^ _) | ]; apply: eq_bigr => j _; rewrite e.
Qed.

Section RookForm.
Variables (r s : nat).
Implicit Types (x y z : table r s) (u v : 'I_r * 'I_s).

Definition adjacent u v : bool := (u.1 == v.1) (+) (u.2 == v.2).

(* the weight of z seen from the cell u *)
Definition degree z u : nat := \sum_v adjacent u v * z v.1 v.2.

Definition rook_form y z : nat := \sum_u y u.1 u.2 * degree z u.

Lemma adjacent_sym u v : adjacent u v = adjacent v u.
Proof. by rewrite /adjacent eq_sym [u.2 == _]eq_sym. Qed.

Lemma rook_form_sym y z : rook_form y z = rook_form z y.
Proof.
rewrite /rook_form /degree; under eq_bigr do rewrite big_distrr /=.
rewrite exchange_big; apply: eq_bigr => v _; rewrite big_distrr /=.
by apply: eq_bigr => u _; rewrite adjacent_sym; lia.
Qed.

Lemma total_pair x : total x = \sum_u x u.1 u.2.
Proof. by rewrite /total pair_bigA. Qed.

Lemma row_sum_pair x i : row_sum x i = \sum_u (i == u.1) * x u.1 u.2.
Proof.
rewrite -(pair_bigA _ (fun k j => (i == k) * x k j)) /=.
rewrite -[LHS](sum_pick_sym i (row_sum x)); apply: eq_bigr => k _.
by rewrite /row_sum big_distrr.
Qed.

Lemma col_sum_pair x j : col_sum x j = \sum_u (j == u.2) * x u.1 u.2.
Proof.
rewrite -(pair_bigA _ (fun i k => (j == k) * x i k)) exchange_big /=.
rewrite -[LHS](sum_pick_sym j (col_sum x)); apply: eq_bigr => k _.
by rewrite /col_sum big_distrr.
Qed.

Lemma degree_margins x u : degree x u + 2 * x u.1 u.2 = row_sum x u.1 + col_sum x u.2.
Proof.
rewrite row_sum_pair col_sum_pair -[x u.1 u.2](sum_pick_sym u (fun v => x v.1 v.2)).
rewrite mul2n -addnn /degree -!big_split /=; apply: eq_bigr => v _.
case: u v => [i j] [k l]; rewrite /adjacent /= xpair_eqE.
by case: (i == k); case: (j == l) => /=; lia.
Qed.

Theorem F_rook x : F2 x = rook_form x x.
Proof.
suff e : rook_form x x + 2 * squares x = \sum_(i < r) row_sum x i ^ 2 + \sum_(j < s) col_sum x j ^ 2.
  by move: e; rewrite -F_exact => /addIn.
have -> : \sum_i row_sum x i ^ 2 = \sum_u x u.1 u.2 * row_sum x u.1.
  rewrite -(pair_bigA _ (fun i j => x i j * row_sum x i)) /=.
  by apply: eq_bigr => i _; rewrite -big_distrl /= -mulnn.
have -> : \sum_j col_sum x j ^ 2 = \sum_u x u.1 u.2 * col_sum x u.2.
  rewrite -(pair_bigA _ (fun i j => x i j * col_sum x j)) exchange_big /=.
  by apply: eq_bigr => i _; rewrite -big_distrl /= -mulnn.
rewrite /squares pair_bigA /rook_form big_distrr -!big_split; apply: eq_bigr => u _ /=.
by rewrite -mulnDr -degree_margins -mulnn; lia.
Qed.
End RookForm.

(* ------------------------------------------------------------------ *)
(** ** The best matching

    With r <= s a matching of rows to columns is an injection of the rows into the columns.  [best x] is
    the largest sum of entries over a matching. *)

Definition best r s (x : table r s) : nat :=
  \max_(f : {ffun 'I_r -> 'I_s} | injectiveb f) \sum_(i < r) x i (f i).

Section Best.
Variables (r s : nat).
Implicit Type x : table r s.

Lemma best_ge x (f : 'I_r -> 'I_s) : injective f -> \sum_i x i (f i) <= best x.
Proof.
move=> fi; pose g := [ffun i => f i].
have gi : injectiveb g by apply/injectiveP => i j; rewrite !ffunE => /fi.
have := @leq_bigmax_cond _ (fun f : {ffun 'I_r -> 'I_s} => injectiveb f)
          (fun f => \sum_i x i (f i)) g gi.
by under eq_bigr do rewrite ffunE.
Qed.

Lemma best_attained x : r <= s -> exists2 f : 'I_r -> 'I_s, injective f & \sum_i x i (f i) = best x.
Proof.
move=> rs.
have c0 : 0 < #|[pred f : {ffun 'I_r -> 'I_s} | injectiveb f]|.
  apply/card_gt0P; exists [ffun i => widen_ord rs i]; rewrite inE.
  by apply/injectiveP => i j; rewrite !ffunE => /(congr1 val) /= h; apply: val_inj.
have [f fi e] := eq_bigmax_cond (fun f : {ffun 'I_r -> 'I_s} => \sum_i x i (f i)) c0.
by exists f; [apply/injectiveP | rewrite /best -e; apply: eq_bigl].
Qed.

Lemma best_le x k :
  (forall f : 'I_r -> 'I_s, injective f -> \sum_i x i (f i) <= k) -> best x <= k.
Proof. by move=> H; apply/bigmax_leqP => f /injectiveP; apply: H. Qed.

Lemma eq_best x y : (forall i j, x i j = y i j) -> best x = best y.
Proof. by move=> e; apply: eq_bigr => f _; apply: eq_bigr => i _; rewrite e. Qed.

Lemma matching_le_total x (f : 'I_r -> 'I_s) : \sum_i x i (f i) <= total x.
Proof. by apply: leq_sum => i _; apply: entry_le_row. Qed.

Lemma best_le_total x : best x <= total x.
Proof. by apply: best_le => f _; apply: matching_le_total. Qed.
End Best.

(* ------------------------------------------------------------------ *)
(** ** Distances, as rational numbers *)

Section Distances.
Variables (r s : nat).
Implicit Type x : table r s.

(* pairs of objects: together in a row, in a column, in a cell; all pairs *)
Definition row_pairs x := \sum_(i < r) 'C(row_sum x i, 2).
Definition col_pairs x := \sum_(j < s) 'C(col_sum x j, 2).
Definition cell_pairs x := \sum_(i < r) \sum_(j < s) 'C(x i j, 2).
Definition all_pairs x := 'C(total x, 2).

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* the misclassification error distance (for r <= s) *)
Definition MED x : rat := ((total x)%:R - (best x)%:R) / (total x)%:R.

(* the Rand distance *)
Definition RD x : rat :=
  ((row_pairs x)%:R + (col_pairs x)%:R - (cell_pairs x)%:R *+ 2) / (all_pairs x)%:R.

(* the mean of RD over all labelings with the margins of x (proved in ExpectedRand.v) *)
Definition expected_RD x : rat :=
  ((row_pairs x)%:R * ((all_pairs x)%:R - (col_pairs x)%:R) +
   (col_pairs x)%:R * ((all_pairs x)%:R - (row_pairs x)%:R)) / (all_pairs x)%:R ^+ 2.

(* the adjusted Rand distance: 1 - ARI *)
Definition ARD x : rat := RD x / expected_RD x.
End Distances.

Section DistanceFacts.
Variables (r s : nat).
Implicit Type x : table r s.

Lemma double_bin2 m : 2 * 'C(m, 2) + m = m ^ 2.
Proof.
rewrite bin2; case: m => [|m] //=; have := odd_double_half (m.+1 * m).
by rewrite oddM /= andNb add0n -mul2n => ->; rewrite -mulnn; lia.
Qed.

Lemma double_row_pairs x : 2 * row_pairs x + total x = \sum_(i < r) row_sum x i ^ 2.
Proof.
by rewrite total_rows /row_pairs big_distrr -big_split; apply: eq_bigr => i _; apply: double_bin2.
Qed.

Lemma double_col_pairs x : 2 * col_pairs x + total x = \sum_(j < s) col_sum x j ^ 2.
Proof.
by rewrite total_cols /col_pairs big_distrr -big_split; apply: eq_bigr => i _; apply: double_bin2.
Qed.

Lemma double_cell_pairs x : 2 * cell_pairs x + total x = squares x.
Proof.
rewrite /cell_pairs big_distrr -big_split; apply: eq_bigr => i _.
by rewrite big_distrr -big_split; apply: eq_bigr => j _; apply: double_bin2.
Qed.

Lemma double_all_pairs x : 2 * all_pairs x + total x = total x ^ 2.
Proof. exact: double_bin2. Qed.

(* F2 = 2 (A + B - 2P), without truncation *)
Lemma F_pairs x : F2 x + 4 * cell_pairs x = 2 * (row_pairs x + col_pairs x).
Proof.
have := F_exact x; have := double_row_pairs x; have := double_col_pairs x.
by have := double_cell_pairs x; lia.
Qed.

Lemma row_pairs_le x : row_pairs x <= all_pairs x.
Proof.
have := double_row_pairs x; have := double_all_pairs x.
by have := sum_squares_le (row_sum x); rewrite -total_rows; lia.
Qed.

Lemma col_pairs_le x : col_pairs x <= all_pairs x.
Proof.
have := double_col_pairs x; have := double_all_pairs x.
by have := sum_squares_le (col_sum x); rewrite -total_cols; lia.
Qed.

(* two clusters or more: some pair is separated *)
Lemma row_pairs_lt n x : in_class n x -> 1 < r -> row_pairs x < all_pairs x.
Proof.
case=> _ R _ r1; have := double_row_pairs x; have := double_all_pairs x.
by have := positive_sum_squares_lt r1 R; rewrite -total_rows; lia.
Qed.

Lemma col_pairs_lt n x : in_class n x -> 1 < s -> col_pairs x < all_pairs x.
Proof.
case=> _ _ C s1; have := double_col_pairs x; have := double_all_pairs x.
by have := positive_sum_squares_lt s1 C; rewrite -total_cols; lia.
Qed.

(* the numerator of E = (A(M - B) + B(M - A)) / M^2; the subtractions do not truncate *)
Definition expected_numerator x : nat :=
  row_pairs x * (all_pairs x - col_pairs x) + col_pairs x * (all_pairs x - row_pairs x).

(* E > 0 unless both clusterings separate all pairs *)
Lemma expected_positive n x : in_class n x -> 1 < r -> 1 < s -> 0 < row_pairs x + col_pairs x ->
  0 < expected_numerator x.
Proof.
move=> xM r1 s1 AB; have hA := row_pairs_lt xM r1; have hB := col_pairs_lt xM s1.
by rewrite /expected_numerator addn_gt0 !muln_gt0 !subn_gt0 hA hB !andbT -addn_gt0.
Qed.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma MED_nat x : MED x = (total x - best x)%N%:R / (total x)%:R.
Proof. by rewrite natrB ?best_le_total. Qed.

Theorem RD_F x : RD x = (F2 x)%:R / (2 * all_pairs x)%N%:R.
Proof.
have e : (F2 x)%:R = 2%:R * ((row_pairs x)%:R + (col_pairs x)%:R - (cell_pairs x)%:R *+ 2) :> rat.
  apply: (addIr (4 * cell_pairs x)%N%:R); rewrite -natrD F_pairs -[X in _ - X]mulr_natl mulrBr.
  by rewrite [2%:R * (2%:R * _)]mulrA -!natrM -natrD -natrM subrK.
by rewrite e natrM -mulf_div divff ?mul1r.
Qed.

Lemma expected_RD_nat x : expected_RD x = (expected_numerator x)%:R / (all_pairs x ^ 2)%N%:R.
Proof. by rewrite natrX natrD !natrM !natrB ?row_pairs_le ?col_pairs_le. Qed.

(* hence ARD = M (A + B - 2P) / (A(M - B) + B(M - A)) *)
Lemma ARD_nat x : (0 < all_pairs x)%N ->
  ARD x = (F2 x * all_pairs x)%N%:R / (2 * expected_numerator x)%N%:R.
Proof.
move=> M0; rewrite /ARD RD_F expected_RD_nat !natrM invf_div.
have M1 : (all_pairs x)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n.
rewrite mulf_div [2%:R * _ * _]mulrAC [_%:R * (_ * _)]mulrA.
by rewrite -mulf_div divff ?mulr1.
Qed.
End DistanceFacts.

(* the comparison of two fractions of natural numbers, cross-multiplied *)
Section Fractions.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma ratio_le (a b c d : nat) : (0 < b)%N -> (0 < d)%N ->
  (a%:R / b%:R <= c%:R / d%:R :> rat) = (a * d <= c * b)%N.
Proof. by move=> b0 d0; rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat. Qed.

Lemma ratio_lt (a b c d : nat) : (0 < b)%N -> (0 < d)%N ->
  (a%:R / b%:R < c%:R / d%:R :> rat) = (a * d < c * b)%N.
Proof. by move=> b0 d0; rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat. Qed.
End Fractions.

(* ------------------------------------------------------------------ *)
(** ** Labelings

    A clustering of the objects 0, ..., n-1 into exactly m (nonempty) clusters is a labeling that uses
    all of the m labels. *)

Section Labelings.
Variables (n r s : nat).
Implicit Types (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s).

Definition onto m (h : 'I_n -> 'I_m) : Prop := forall i, exists p, h p = i.

Definition contingency f g : table r s := fun i j => \sum_(p < n) ((f p == i) && (g p == j)).

(* ordered pairs of objects that are together in exactly one of the clusterings *)
Definition separated f g : nat := \sum_(p < n) \sum_(q < n) ((f p == f q) (+) (g p == g q)).

(* objects on which the labeling g differs from the relabeling of f by t *)
Definition mislabeled f g (t : 'I_r -> 'I_s) : nat := \sum_(p < n) (t (f p) != g p).

(* summing over the cells is summing over the objects *)
Lemma contingency_sum f g (h : 'I_r * 'I_s -> nat) :
  \sum_(u : 'I_r * 'I_s) contingency f g u.1 u.2 * h u = \sum_(p < n) h (f p, g p).
Proof.
rewrite /contingency; under eq_bigr do rewrite big_distrl /=.
rewrite exchange_big; apply: eq_bigr => p _.
rewrite -[RHS](sum_pick_sym (f p, g p) h); apply: eq_bigr => -[i j] _.
by rewrite xpair_eqE.
Qed.

Lemma contingency_row f g i : row_sum (contingency f g) i = \sum_(p < n) (f p == i).
Proof.
rewrite /row_sum /contingency exchange_big; apply: eq_bigr => p _.
rewrite (bigD1 (g p)) //= eqxx andbT big1 ?addn0 // => j.
by rewrite eq_sym => /negbTE ->; rewrite andbF.
Qed.

Lemma contingency_col f g j : col_sum (contingency f g) j = \sum_(p < n) (g p == j).
Proof.
rewrite /col_sum /contingency exchange_big; apply: eq_bigr => p _.
rewrite (bigD1 (f p)) //= eqxx /= big1 ?addn0 // => i.
by rewrite eq_sym => /negbTE ->.
Qed.

Lemma contingency_total f g : total (contingency f g) = n.
Proof.
rewrite total_pair; under eq_bigr do rewrite -[contingency _ _ _ _]muln1.
by rewrite (contingency_sum f g (fun=> 1)) sum_ones.
Qed.

Lemma contingency_in_class f g : onto f -> onto g -> in_class n (contingency f g).
Proof.
move=> sf sg; split; first exact: contingency_total.
- by move=> i; have [p fp] := sf i; rewrite contingency_row (bigD1 p) //= fp eqxx.
- by move=> j; have [p gp] := sg j; rewrite contingency_col (bigD1 p) //= gp eqxx.
Qed.

Theorem separated_F f g : separated f g = F2 (contingency f g).
Proof.
rewrite F_rook /rook_form /separated.
rewrite (contingency_sum f g (degree (contingency f g))); apply: eq_bigr => p _.
rewrite -(contingency_sum f g (fun v => nat_of_bool ((f p == v.1) (+) (g p == v.2)))).
by apply: eq_bigr => v _; rewrite mulnC.
Qed.

Theorem mislabeled_matching f g t : mislabeled f g t + \sum_i contingency f g i (t i) = n.
Proof.
have -> : \sum_i contingency f g i (t i) = \sum_(p < n) (t (f p) == g p).
  rewrite -(contingency_sum f g (fun u => nat_of_bool (t u.1 == u.2))).
  rewrite -(pair_bigA _ (fun i j => contingency f g i j * (t i == j))) /=; apply: eq_bigr => i _.
  by rewrite -[LHS](sum_pick_sym (t i)); apply: eq_bigr => j _; rewrite mulnC.
by rewrite /mislabeled addnC sum_indicator_compl.
Qed.

(* n MED is the least number of mislabeled objects over the injective relabelings *)
Theorem least_mislabeled f g : r <= s ->
  (forall t, injective t -> n - best (contingency f g) <= mislabeled f g t) /\
  (exists2 t, injective t & mislabeled f g t = n - best (contingency f g)).
Proof.
move=> rs; split=> [t ti|].
  by have := mislabeled_matching f g t; have := best_ge (contingency f g) ti; lia.
have [t ti e] := best_attained (contingency f g) rs; exists t => //.
by rewrite -e; have := mislabeled_matching f g t; lia.
Qed.

(* every table of the class comes from two labelings *)
Theorem table_from_labelings (x : table r s) : in_class n x ->
  exists f g, [/\ onto f, onto g & forall i j, contingency f g i j = x i j].
Proof.
case=> tn R C.
(* list every cell u as often as x u says; object p has the labels of the p-th cell of the list *)
pose l := flatten [seq nseq (x u.1 u.2) u | u <- enum {: 'I_r * 'I_s}].
have szl : size l = n.
  rewrite size_flatten /shape -map_comp sumnE big_map -tn total_pair -big_enum /=.
  by apply: eq_bigr => u _; rewrite size_nseq.
have cnt u : count_mem u l = x u.1 u.2.
  rewrite count_flatten -map_comp sumnE big_map big_enum /= (bigD1 u) //=.
  rewrite count_nseq /= eqxx mul1n big1 ?addn0 // => v /negbTE h.
  by rewrite count_nseq /= h.
have sum_cnt u0 u : \sum_(p < n) (nth u0 l p == u) = x u.1 u.2.
  rewrite -cnt -sum1_count [RHS]big_mkcond [RHS](big_nth u0) big_mkord szl.
  by apply: eq_bigr => p _; rewrite /=; case: (nth u0 l p == u).
case: (posnP n) => [n0|n0].
  have hr : forall i : 'I_r, False.
    by move=> i; have := positive_term_le i R; rewrite -total_rows tn; have := R i; lia.
  have hs : forall j : 'I_s, False.
    by move=> j; have := C j; rewrite /col_sum big1 // => i _; case: (hr i).
  have hn : forall p : 'I_n, False by case=> p; rewrite n0.
  exists (fun p => False_rect _ (hn p)), (fun p => False_rect _ (hn p)).
  by split=> [i|j|i]; [case: (hr i) | case: (hs j) | case: (hr i)].
have [u0 _] : exists u0 : 'I_r * 'I_s, True.
  by case: (l) szl => [|u l'] /= h; [lia | exists u].
pose f (p : 'I_n) := (nth u0 l p).1; pose g (p : 'I_n) := (nth u0 l p).2.
have fg i j : contingency f g i j = x i j.
  rewrite -(sum_cnt u0 (i, j)); apply: eq_bigr => p _.
  by rewrite /f /g; case: (nth _ _ _) => k m; rewrite xpair_eqE.
have used m (h : 'I_n -> 'I_m) i : 0 < \sum_(p < n) (h p == i) -> exists p, h p = i.
  move=> pos; have [/existsP [p /eqP hp]|/existsPn no] := boolP [exists p, h p == i]; first by exists p.
  by rewrite big1 in pos => // p _; rewrite (negbTE (no p)).
exists f, g; split=> // [i|j].
  by apply: used; rewrite -(contingency_row f g) /row_sum; under eq_bigr do rewrite fg; apply: R.
by apply: used; rewrite -(contingency_col f g) /col_sum; under eq_bigr do rewrite fg; apply: C.
Qed.
End Labelings.
